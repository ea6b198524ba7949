// Fields: getting the focus and a selection ready for real typing, reading back
// what a field holds, and the controls that are set rather than typed into.

// See dom.js for why methods are taken from prototypes.
const documentCreate = Document.prototype.createElement;
const documentHasFocus = Document.prototype.hasFocus;
const getHidden = getterOf(Document, "hidden");
const focusElement = HTMLElement.prototype.focus;
const focusSVG = SVGElement.prototype.focus;

const textInputs = new Set(["text", "search", "url", "tel", "email", "password", "number"]);

// What a typed input wants, and a sample, for the message about another value.
const shapes = {
  date: ["a date as YYYY-MM-DD", "2026-12-31"], time: ["a time as HH:MM", "09:30"],
  "datetime-local": ["a date and time as YYYY-MM-DDTHH:MM", "2026-12-31T09:30"], month: ["a month as YYYY-MM", "2026-12"],
  week: ["a week as YYYY-Www", "2026-W07"], color: ["a colour as #rrggbb", "#ff8800"], range: ["a number", "50"], number: ["a number", "12.5"],
};

// fieldKind tells how el is filled: "text" is typed into, "rich" is an editor,
// "set" gets its value at once; anything else is not filled, and says what.
function fieldKind(el) {
  if (el instanceof HTMLTextAreaElement) return "text";
  if (el instanceof HTMLInputElement) return textInputs.has(el.type) ? "text" : shapes[el.type] ? "set" : el.type;
  if (el instanceof HTMLSelectElement) return "select";
  return isHTML(el) && getIsContentEditable.call(el) ? "rich" : "none";
}

// fieldOf returns the field that filling el means: a label's control, an
// editor's root, or el.
const fieldOf = (el) => (el instanceof HTMLLabelElement && el.control ? el.control : el);

// heldBy reads a field as a person sees it.
const heldBy = (el) => (el instanceof HTMLSelectElement || el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement ? el.value : visibleText(el));

// sameText compares a field with what was written to it: line ends are those of
// the platform, editors show breaks and spaces in their own way.
function sameText(kind, el, want) {
  const have = heldBy(el);
  if (have === want) return true;
  if (el instanceof HTMLInputElement && el.type === "number") return have !== "" && Number(have) === Number(want);
  if (el instanceof HTMLInputElement && kind === "text") return have === want.replace(/\r\n?|\n/g, " ") || have === want.replace(/[\r\n]/g, "");
  if (kind === "text") return have === want.replace(/\r\n?/g, "\n");
  const plain = (s) => s.replace(/\r\n?/g, "\n").replace(/[\u200b\ufeff]/g, "").replace(/[\u00a0 \t]+/g, " ").replace(/ ?\n[\n ]*/g, "\n").trim();
  return kind === "rich" && plain(have) === plain(want);
}

// takeFocus gives el the focus, if it can have it, without scrolling.
const takeFocus = (el) => (isSVG(el) ? focusSVG : focusElement).call(el, { preventScroll: true });
const isBackground = () => getHidden.call(document);
const hasKeyboard = () => documentHasFocus.call(document);

// readyField focuses el for typing and, for "fill", selects its content or, if
// it takes its value at once, sets that. Part of browse.ready.
function readyField(el, o) {
  const fill = o.need === "fill";
  const at = fill ? fieldOf(el) : el;
  const kind = fill ? fieldKind(at) : "";
  if (fill && !["text", "set", "rich"].includes(kind)) return { why: "uneditable", what: kind, desc: describe(at) };
  if (!o.force) {
    if (!surfaceOf(at)) return { why: "hidden" };
    const what = disabledBy(at);
    if (what) return { why: "disabled", what };
    if (fill && !isEditable(at) && kind !== "set") return { why: "readonly" };
    if (kind === "set" && at.readOnly) return { why: "readonly" };
  }
  const shape = fill && badShape(at, o.value);
  if (shape) return { why: "badvalue", what: shape[0], sample: shape[1] };
  if (!aimsIn(at)) bringIn(at, 0);
  const old = fill ? heldBy(at) : "";
  if (kind === "set") return setValue(at, o.value, old);
  takeFocus(kind === "rich" ? editorOf(at) : at);
  const focused = deepFocus();
  if (!focused || !hasFocusOf(at, focused)) {
    return { why: "unfocused", by: focused ? coverOf(at, focused) : null };
  }
  if (!hasKeyboard()) return { why: "unfocused" };
  if (fill) selectAll(at, kind);
  arm({ seq: o.seq, mode: fill ? "text" : "keys", el: at });
  return { kind, empty: fill && !heldBy(at), secret: isSecret(at), same: fill && old === o.value, time: showsDocument(at) ? 0 : Date.now() };
}

// editorOf returns the element of the editor around el that takes the focus.
function editorOf(el) {
  let editor = el;
  for (let n = parentOf(el); n && isHTML(n) && getIsContentEditable.call(n); n = parentOf(n)) editor = n;
  return editor;
}

// hasFocusOf reports whether focused is where keys for el go: el, what it
// delegates to in its shadow tree or as a label, or the editor that it is in.
function hasFocusOf(el, focused) {
  if (focused === el || (el instanceof HTMLLabelElement && el.control === focused)) return true;
  if (shadowOf(el)) return inside(focused, el);
  return isHTML(el) && getIsContentEditable.call(el) && inside(el, focused);
}

const aimsIn = (el) => boxesOf(el).some((r) => intersect(r, viewport()));

function selectAll(el, kind) {
  if (kind === "text") {
    el.select();
    return;
  }
  const range = new Range();
  range.selectNodeContents(el);
  const s = getSelection();
  s.removeAllRanges();
  s.addRange(range);
}

// badShape returns what a typed input wants when value is not of that shape,
// else null; the browser would silently leave such a field empty.
function badShape(el, value) {
  if (!(el instanceof HTMLInputElement) || !shapes[el.type] || value === "") return null;
  if (el.type === "color") return /^#[0-9a-f]{6}$/i.test(value) ? null : shapes.color;
  if (el.type === "range") return value.trim() !== "" && Number.isFinite(Number(value)) ? null : shapes.range;
  const probe = documentCreate.call(document, "input");
  probe.type = el.type;
  probe.value = value;
  return probe.value === "" ? shapes[el.type] : null;
}

// setValue sets a date, colour or slider and tells the page as the browser's own
// picker would. The setter is the browser's, not the one that a framework may
// have put on the element.
function setValue(el, value, old) {
  takeFocus(el);
  el.value = value;
  el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  return { kind: "set", set: true, same: old === value };
}

// turnLimit is how long later waits for a timer, in milliseconds: a document
// whose scripts are off has none, and no tasks of the page either.
const turnLimit = 30;

// later resolves after the tasks that the page has queued so far.
const later = () => new Promise((resolve) => {
  if (!isBackground()) {
    setTimeout(resolve, 0); // in one queue with the timers of the page
    delay(turnLimit).then(resolve);
  }
  const c = new MessageChannel();
  c.port1.onmessage = () => isBackground() && resolve();
  c.port2.postMessage(0);
});

// browse.filled ends a fill: the change event that a person would cause by
// leaving the field, and then, once the page has had its turn, what the field
// holds. With wait it does so when the text has arrived, or at browse.nudge, so
// that it can be sent along with the text. With quiet there is no change event: more is to
// come, such as the choice of what the text has found. Result: {why} or {same, value, length,
// changed, secret}.
browse.filled = (seq, id, value, wait, quiet) => {
  const a = armed && armed.seq === seq ? armed : null;
  if (!wait || !a || a.complete || a.wrong || a.seen.input) return readBack(a, id, value, quiet);
  return new Promise((resolve) => {
    a.done = () => resolve(readBack(a, id, value, quiet));
  });
};

async function readBack(a, id, value, quiet) {
  await later(); // several input events may belong to one text
  if (a && armed === a) armed = null;
  if (a && a.wrong) return { why: "unfocused", by: a.wrong };
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const at = fieldOf(el), kind = fieldKind(at), changed = !!(a && a.seen.input);
  if (kind === "text" && changed && !quiet) {
    dispatch.call(at, new Event("change", { bubbles: true }));
    await later();
    if (!elementOf(id)) return { why: "gone" };
  }
  const secret = isSecret(at), now = heldBy(at);
  return { same: sameText(kind, at, value), value: secret ? "" : now.slice(0, 2000), length: [...now].length, changed, secret };
}

early.typed = (e) => {
  const a = active(e);
  if (!a || (a.mode !== "text" && a.mode !== "keys")) return;
  if (e.type === "keypress" || (e.type === "keydown" && e.key.length === 1)) {
    // A keydown without a keypress was one that the page took for itself.
    const kind = e.type === "keypress" ? "passed" : "keys";
    if (e.key.length === 1) a.seen[kind] = (a.seen[kind] || 0) + 1;
    if (e.type === "keypress") return;
  }
  const at = e.composedPath()[0];
  const right = !a.el || (at instanceof Node && (inside(at, a.el) || inside(a.el, at)));
  if (!right && a.strict !== false && !a.seen[e.type]) {
    // Something took the focus away between the check and the keys.
    a.ok = false;
    a.wrong ||= at instanceof Element ? { id: idOf(at), desc: describe(at), role: roleOf(at), name: nameOf(at) } : { id: 0, desc: "" };
    if (e.cancelable) stop(e);
    conclude(a);
    return;
  }
  a.seen[e.type] = (a.seen[e.type] || 0) + 1;
  if (e.type === "keydown") tell(a);
  if (e.type !== "input") return;
  if (e.data) a.seen.chars = (a.seen.chars || 0) + [...e.data].length;
  if (a.typing && at instanceof Element) a.typing.into.add(at);
  conclude(a);
};

// What keys press, follow or tick; letters do nothing there.
const letterless = "a,area,button,summary,input,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab]";

// tookBy tells what typed keys found where the focus was: {kind} as of fieldKind,
// whether it is read-only, whether it holds what it held before, and whether it
// is something of the page's own that may have a use for letters; and into which
// fields the text went, when the page handed the focus on.
function tookBy(a) {
  const { at, held } = a.typing;
  const kind = at ? fieldKind(at) : "none";
  const text = kind === "text" || kind === "rich";
  const into = [...a.typing.into].filter((el) => getIsConnected.call(el));
  return {
    kind, readOnly: text && !isEditable(at), same: held === holding(at), app: !!at && kind === "none" && !matches(at, letterless),
    fields: into.length, into: into.slice(0, MAX_INTO).map((el) => ({ id: idOf(el), role: roleOf(el), name: nameOf(el), desc: describe(el) })),
  };
}
const MAX_INTO = 8;

const holding = (el) => (el && ["text", "rich", "select"].includes(fieldKind(el)) ? heldBy(el) : "");

// roomIn is how many characters a field takes, -1 when that is not said.
const roomIn = (el) => (isTextInput(el) && el.maxLength >= 0 ? el.maxLength : -1);

// browse.turn resolves when the page has had its turn.
browse.turn = () => later();

// browse.focused tells what has the keyboard in this document: {has, id, role,
// name, desc, secret, time, room}; id 0 when nothing in particular has it. has is false when another document has it.
browse.focused = (seq) => {
  const el = deepFocus();
  const frame = !!el && showsDocument(el);
  const has = hasKeyboard() && !frame;
  if (has && seq) arm({ seq, mode: "keys", el: null, typing: { at: el, held: holding(el), into: new Set() } });
  const time = Date.now();
  if (!el) return { has, id: 0, time };
  return { has, time, room: roomIn(el), id: idOf(el), role: roleOf(el), name: nameOf(el), desc: describe(el), secret: isSecret(el) };
};

// ---- select

const labelOf = (o) => collapse(o.label || o.text);

// pickOption finds the option that want names: by value, by label, by label in
// any case, or by a prefix that says which: value=, label=, index=.
function pickOption(select, want) {
  const shown = [...select.options].filter((o) => !optionHidden(o));
  return pickAmong(shown, want) || pickAmong([...select.options], want);
}

// optionHidden reports whether a person cannot see, and so not choose, an option.
const optionHidden = (o) => hasAttr(o, "hidden") || styleOf(o).display === "none" || (parentNode(o) instanceof HTMLOptGroupElement && (hasAttr(parentNode(o), "hidden") || styleOf(parentNode(o)).display === "none"));

function pickAmong(all, want) {
  const said = /^(value|label|index)=(.*)$/s.exec(want);
  const by = said ? said[1] : "";
  const text = said ? said[2] : want;
  const finders = {
    value: (o) => o.value === text,
    label: (o) => labelOf(o) === collapse(text),
    index: (o) => String(o.index) === text,
  };
  if (by) return all.find(finders[by]);
  const fold = (o) => labelOf(o).toLowerCase() === collapse(text).toLowerCase();
  return all.find((o) => o.value === want) || all.find((o) => labelOf(o) === collapse(want)) || (all.filter(fold).length === 1 ? all.find(fold) : undefined);
}

// browse.choose selects options of a native select, or the option itself when
// the element is one. Result: {picked: [label], select: {…}} or {why, …}:
// besides those of browse.ready: notselect, nooption, single, optionoff,
// optionhidden.
browse.choose = (id, wants, o) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const other = o.shown && changed(el, o.shown.role, o.shown.name);
  if (other) return other;
  const option = el instanceof HTMLOptionElement ? el : null;
  const select = option ? closestFlat(option, "select") : fieldOf(el);
  if (!(select instanceof HTMLSelectElement)) return { why: "notselect", role: roleOf(el), desc: describe(el) };
  if (!surfaceOf(select)) return { why: "hidden" };
  const what = disabledBy(select);
  if (what) return { why: "disabled", what };
  if (!select.multiple && wants.length > 1) return { why: "single" };
  const picked = option ? [option] : [];
  for (const want of option ? [] : wants) {
    const found = pickOption(select, want);
    if (!found) return { why: "nooption", what: want, have: [...select.options].filter((o) => !optionHidden(o)).slice(0, 12).map(labelOf), total: select.options.length };
    picked.push(found);
  }
  const off = picked.find((p) => p.disabled || disabledBy(p));
  if (off) return { why: "optionoff", what: labelOf(off) };
  const unseen = picked.find(optionHidden);
  if (unseen) return { why: "optionhidden", what: labelOf(unseen) };
  takeFocus(select);
  if (!elementOf(id)) return { why: "gone" }; // the page replaced it when it got the focus
  setOptions(select, picked, !!option && select.multiple);
  return later().then(() => chosen(id, select, picked));
};

function setOptions(select, picked, add) {
  if (!aimsIn(select)) bringIn(select, 0);
  for (const o of select.options) {
    const on = picked.includes(o) || (add && o.selected);
    if (o.selected !== on && (select.multiple || on)) o.selected = on;
  }
  if (!picked.length && !select.multiple) select.selectedIndex = -1;
  select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

// chosen reads back. A page that took the element away has had the event.
function chosen(id, select, picked) {
  const now = [...select.selectedOptions].map(labelOf);
  const kept = picked.every((p) => p.selected && p.isConnected);
  return { picked: picked.map(labelOf), now, kept, gone: !elementOf(id), select: { id: idOf(select), role: roleOf(select), name: nameOf(select) } };
}

// browse.checkState reads whether el is checked, once the page has had its turn:
// {state: "true"|"false"|"mixed"|"", radio} or {why}.
browse.checkState = (id, o) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const other = o.shown && changed(el, o.shown.role, o.shown.name);
  if (other) return other;
  return later().then(() => {
    const at = fieldOf(el);
    return { state: stateOf(at, "checked") || stateOf(at, "pressed"), radio: /^(radio|menuitemradio)$/.test(roleOf(at)) };
  });
};
