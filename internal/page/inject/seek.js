// Seeking: waiting for what a locator names, and telling what is there instead.

const watches = new Map();

// browse.watchFor answers like browse.locate as soon as the number of matches or
// of visible matches is no longer what `had` says, or when browse.unwatch(token)
// is called. It is driven by mutations, with a back-off that keeps the looking
// below a tenth of the time, and by a slow tick for changes that mutate nothing.
browse.watchFor = (token, locator, had, o) => new Promise((resolve) => {
  const observer = new MutationObserver(() => soon());
  let planned = false, over = false, cost = 0, last = 0;
  const end = (r) => {
    over = true;
    observer.disconnect();
    watches.delete(token);
    resolve(r);
  };
  const look = () => {
    planned = false;
    if (over) return;
    const t0 = performance.now();
    const r = browse.locate(locator, o);
    last = performance.now();
    cost = last - t0;
    if (r.error || r.total !== had.total || r.visible !== had.visible) end(r);
    else watchRoots(observer);
  };
  const soon = () => {
    if (planned || over) return;
    planned = true;
    delay(last + 10 * cost - performance.now()).then(look);
  };
  const tick = async () => {
    for (; !over; soon()) await delay(100);
  };
  watches.set(token, () => end(browse.locate(locator, o)));
  look();
  tick();
});

function watchRoots(observer) {
  const what = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, what);
  for (const root of rootsUnder()) observer.observe(root, what);
}

// browse.unwatch makes browse.watchFor(token) answer now.
browse.unwatch = (token) => watches.get(token)?.();

// ---- near misses

// browse.near says what is there instead when a locator matches nothing:
// [{kind, total, role, name, desc}]. Kinds: hidden (it would match if it were
// shown), loose (it matches but for upper and lower case, or as a part), others
// (same role, other names), text (a bare word that is the text of something).
browse.near = (locator) => {
  const steps = locatorSteps(locator);
  const step = steps.pop();
  const scope = steps.length ? matchSteps(steps)[0] : null;
  if (steps.length && !scope) return [];
  const out = [];
  const add = (kind, found) => {
    if (found.length) out.push({ kind, total: found.length, ...itemOf(found[0]), name: spareName(found[0]) });
  };
  const loosely = (m) => textMatcher(collapse(m.want || m.body));
  if (step.engine === "role") {
    const want = roleStep(step.body);
    add("hidden", byRole(scope, want, true));
    if (want.name) add("loose", byRole(scope, { ...want, name: loosely(want.name) }));
    if (!out.length) byRole(scope, { role: want.role, states: {} }).slice(0, 3).forEach((el) => add("others", [el]));
  } else if (step.engine === "text") {
    const m = textMatcher(step.body);
    add("hidden", byText(scope, m, (el) => !isShown(el)));
    if (m.exact) add("loose", byText(scope, loosely(m)));
  } else if (textEngines.has(step.engine)) {
    const m = textMatcher(step.body);
    add("loose", step.engine === "label" ? byLabel(scope, loosely(m)) : byAttribute(scope, step.engine, loosely(m)));
  } else if (step.engine === "css") {
    const id = /^#([\w-]+)$/.exec(step.body);
    if (id) add("loose", findAll(scope, `[id="${id[1]}" i]`));
    else if (!/[.#[\]>:,*]/.test(step.body)) add("text", byText(scope, textMatcher(step.body)));
  }
  return out;
};
