// Waiting for an element to be, or no longer to be, on the page.

// browse.probe looks, until state holds or ms have passed, at what a locator
// (a string) or an element id (a number) names. States: visible, hidden,
// attached, detached. It answers with what it saw last.
browse.probe = async (what, state, ms) => {
  const end = performance.now() + ms;
  for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
    const seen = look(what);
    if (seen.error !== undefined && seen.error !== "") return seen;
    seen.ok = { visible: seen.visible > 0, hidden: seen.visible === 0, attached: seen.total > 0, detached: seen.total === 0 }[state];
    const left = end - performance.now();
    if (seen.ok || left <= 0) return seen;
    await delay(Math.min(pause, left));
  }
};

function look(what) {
  if (typeof what === "number") {
    const el = elementOf(what);
    return { total: el ? 1 : 0, visible: el && isVisible(el) ? 1 : 0 };
  }
  const r = browse.locate(what, { limit: 1 });
  return { total: r.total, visible: r.visible, error: r.error };
}
