// Waiting for an element to be, or no longer to be, as it is expected.

// browse.probe looks, until state holds or ms have passed, at what a locator
// (a string) or an element id (a number) names. States of all that is named:
// visible, hidden, attached, detached, and count with want. States of the first
// visible one, or the first: enabled, disabled, checked, unchecked, focused, and
// value and shows with want. Of the page: title with want. want is { op, text, not };
// not asks for the opposite, which for one element means that there is one.
// It answers with what it saw last; now is the value, where there is one.
browse.probe = async (what, state, ms, want = { op: "", text: "" }) => {
  const end = performance.now() + ms;
  for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
    const seen = look(what, state, want);
    if (want.not && (seen.total > 0 || ofAll[state] || state === "count")) seen.ok = !seen.ok;
    if (seen.error !== undefined && seen.error !== "") return seen;
    const left = end - performance.now();
    if (seen.ok || left <= 0) return seen;
    await delay(Math.min(pause, left));
  }
};

const ofAll = {
  visible: (s) => s.visible > 0, hidden: (s) => s.visible === 0, attached: (s) => s.total > 0, detached: (s) => s.total === 0,
};

const ofOne = {
  enabled: (f) => !f.disabled, disabled: (f) => Boolean(f.disabled),
  checked: (f) => f.checked === "true", unchecked: (f) => f.checked === "false", focused: (f) => f.focused,
};

function look(what, state, want) {
  if (state === "title") {
    const now = getTitle.call(document);
    return { total: 1, visible: 1, now, ok: fits(now, want) };
  }
  let found;
  if (typeof what === "number") {
    found = [elementOf(what)].filter(Boolean);
  } else {
    try {
      found = matchAll(what);
    } catch (e) {
      if (e instanceof LocatorError) return { total: 0, visible: 0, ok: false, error: e.message };
      throw e;
    }
  }
  const shown = found.slice(0, 1000).filter(isVisible);
  const seen = { total: found.length, visible: shown.length, ok: false };
  if (ofAll[state]) {
    seen.ok = ofAll[state](seen);
  } else if (state === "count") {
    seen.now = String(seen.total);
    seen.ok = fits(seen.now, want);
  } else if (found.length > 0) {
    weigh(shown[0] ?? found[0], state, want, seen);
  }
  return seen;
}

// weigh looks at one element. The value of a secret field is compared and not told.
function weigh(el, state, want, seen) {
  if (ofOne[state]) {
    const facts = browse.facts(el);
    seen.ok = ofOne[state](facts);
    seen.now = state.endsWith("checked") ? { true: "checked", false: "not checked", mixed: "partly checked" }[facts.checked] ?? "nothing that can be checked"
      : state === "focused" ? "not focused" : facts.disabled ? "disabled" : "enabled";
    return;
  }
  if (state === "shows") {
    seen.now = collapse(visibleText(el));
    seen.ok = fits(seen.now, want);
    seen.secret = inSecretRegion(el) || [...queryAll(el, REGIONS)].some(isSecretRegion);
    if (seen.secret) seen.now = "";
    return;
  }
  const control = controlOf(el), secret = isSecret(control);
  const value = isTextInput(control) ? control.value : localName(control) === "select" && isHTML(control)
    ? [...control.selectedOptions].map((o) => o.label).join(", ") : valueOf(control, roleOf(control));
  const values = localName(control) === "select" && isHTML(control) ? [value, [...control.selectedOptions].map((o) => o.value).join(", ")] : [value];
  seen.ok = values.some((v) => fits(v, want));
  seen.now = value;
  seen.secret = secret;
  if (secret) seen.now = "";
}

// fits compares as the operator says: == the same, ~= holds it, and <= and >= for
// numbers. Runs of white space count as one space.
function fits(now, want) {
  const a = collapse(String(now)), b = collapse(want.text);
  switch (want.op) {
    case "~=": return a.toLowerCase().includes(b.toLowerCase());
    case ">=": return NOT_BLANK.test(a) && Number(a) >= Number(b);
    case "<=": return NOT_BLANK.test(a) && Number(a) <= Number(b);
  }
  return a === b;
}
