// Questions about one element: attributes, computed style, states; and how long
// the page took to load.

// checked returns el for an id, or why it is not what was shown.
function askedOf(id, shown) {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const other = shown && changed(el, shown.role, shown.name);
  return other || { el };
}

// browse.attrs returns the attributes of an element in their order, as a list of
// name and value; secret is the name of those that hold a secret.
browse.attrs = (id, shown) => {
  const got = askedOf(id, shown);
  if (!got.el) return got;
  const el = got.el, secret = [];
  const list = elementAttributeNames.call(el).map((name) => [name, attr(el, name)]);
  if (FORM_FIELDS.has(localName(el)) && isWrittenSecret(el)) secret.push("value");
  return { list, secret };
};

// browse.css returns the computed value of a property of an element, or of its
// pseudo-element. known is false for what is no property; a custom property is
// known when it is set.
browse.css = (id, property, pseudo, shown) => {
  const got = askedOf(id, shown);
  if (!got.el) return got;
  const style = getComputedStyle(got.el, pseudo || null);
  const name = property.startsWith("--") ? property : property.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase()).replace(/^(webkit|moz)-/, "-$1-");
  const value = style.getPropertyValue(name);
  return { value: value.trim(), known: name.startsWith("--") ? value !== "" : name in style };
};

// browse.is answers whether an element is in a state: {yes}, or {no: why} when the
// question makes no sense for it.
browse.is = (id, state, shown) => {
  const got = askedOf(id, shown);
  if (!got.el) return got;
  return withMemo(() => stateAnswers[state](got.el));
};

const yes = (v) => ({ yes: !!v });
const triState = (v, what) => (v === "" ? { no: what } : yes(v === "true"));

const stateAnswers = {
  visible: (el) => yes(isVisible(el)),
  hidden: (el) => yes(!isVisible(el)),
  attached: () => yes(true),
  detached: () => yes(false),
  enabled: (el) => yes(!isDisabled(controlOf(el))),
  disabled: (el) => yes(isDisabled(controlOf(el))),
  editable: (el) => yes(isEditable(controlOf(el)) && !isDisabled(controlOf(el))),
  focused: (el) => yes(isFocused(el)),
  checked: (el) => triState(checkedOf(controlOf(el), roleOf(controlOf(el))), "cannot be checked"),
  selected: (el) => (SELECTABLE.has(roleOf(el)) ? yes(selectedOf(el, roleOf(el))) : { no: "cannot be selected" }),
  expanded: (el) => (isDetails(el) ? yes(hasAttr(el, "open")) : triState(expandedOf(el, roleOf(el)), "has nothing to expand")),
  pressed: (el) => triState(pressedOf(el, roleOf(el)), "is no button that stays pressed"),
  required: (el) => yes(controlOf(el).required === true || isTrue(attr(el, "aria-required"))),
  invalid: (el) => yes(FIELDS.has(localName(controlOf(el))) ? invalidOf(controlOf(el), localName(controlOf(el))) : isAriaInvalid(el)),
};

const isDetails = (el) => localName(el) === "details" && isHTML(el);

// isFocused: the element has the focus, or what it stands for has, such as the
// control of a label or what is inside of a shadow host.
function isFocused(el) {
  const focused = deepFocus();
  if (!focused) return false;
  return focused === el || focused === controlOf(el) || (!!shadowOf(el) && containsFlat(el, focused));
}

// ---- perf

// The browser keeps these until somebody asks; it delivers them in a task of its
// own.
const VITALS = ["largest-contentful-paint", "layout-shift", "event", "first-input", "paint"];

// browse.perf returns the phases of the navigation in milliseconds, {} without
// them, and Core Web Vitals as far as the page has them: lcp, cls, inp, fcp.
browse.perf = async () => {
  const n = performance.getEntriesByType("navigation")[0];
  if (!n) return {};
  const end = n.loadEventEnd || n.domContentLoadedEventEnd || n.responseEnd;
  const phases = [
    ["dns", n.domainLookupEnd - n.domainLookupStart], ["tcp", n.connectEnd - n.connectStart],
    ["ssl", n.secureConnectionStart > 0 ? n.connectEnd - n.secureConnectionStart : 0],
    ["ttfb", n.responseStart - n.requestStart], ["download", n.responseEnd - n.responseStart],
    ["domParse", n.domInteractive - n.responseEnd], ["domReady", n.domContentLoadedEventEnd - n.startTime],
    ["load", n.loadEventEnd - n.startTime], ["total", end - n.startTime],
  ].map(([name, ms]) => [name, Math.max(0, Math.round(ms))]);
  return { phases, loaded: n.loadEventEnd > 0, ...vitals(await bufferedEntries()) };
};

// bufferedEntries collects what observers are handed of the past. A page that
// has none of a kind is not waited for.
async function bufferedEntries() {
  const all = {}, known = VITALS.filter((type) => PerformanceObserver.supportedEntryTypes.includes(type));
  const observers = known.map((type) => {
    const o = new PerformanceObserver((list) => (all[type] = (all[type] ?? []).concat(list.getEntries())));
    o.observe({ type, buffered: true, durationThreshold: 16 });
    return o;
  });
  await delay(30);
  observers.forEach((o, i) => {
    all[known[i]] = (all[known[i]] ?? []).concat(o.takeRecords());
    o.disconnect();
  });
  return all;
}

function vitals(all) {
  const out = {}, lcp = all["largest-contentful-paint"] ?? [], paint = (all.paint ?? []).find((e) => e.name === "first-contentful-paint");
  if (paint) out.fcp = Math.round(paint.startTime);
  if (lcp.length) {
    const last = lcp[lcp.length - 1];
    out.lcp = Math.round(last.startTime);
    if (last.element && getIsConnected.call(last.element)) out.lcpElement = describe(last.element);
  }
  if (lcp.length || paint) out.cls = layoutShift(all["layout-shift"] ?? []);
  const inp = interaction([...(all.event ?? []), ...(all["first-input"] ?? [])]);
  if (inp > 0) out.inp = inp;
  return out;
}

// layoutShift is the largest session window: shifts less than a second apart,
// within five seconds (web.dev, CLS).
function layoutShift(entries) {
  let best = 0, sum = 0, first = 0, last = 0;
  for (const e of entries) {
    if (e.hadRecentInput) continue;
    if (sum > 0 && (e.startTime - last > 1000 || e.startTime - first > 5000)) sum = 0;
    if (sum === 0) first = e.startTime;
    last = e.startTime;
    sum += e.value;
    best = Math.max(best, sum);
  }
  return Math.round(best * 10000) / 10000;
}

// interaction is the slowest interaction, but one of each fifty (web.dev, INP).
function interaction(entries) {
  const slowest = new Map();
  for (const e of entries) {
    const key = e.interactionId || (e.entryType === "first-input" ? -1 : 0);
    if (key) slowest.set(key, Math.max(slowest.get(key) ?? 0, e.duration));
  }
  if (slowest.size > 1) slowest.delete(-1);
  const all = [...slowest.values()].sort((a, b) => b - a);
  return all.length ? Math.round(all[Math.min(Math.floor(all.length / 50), all.length - 1)]) : 0;
}
