// Places: what an element stood in when it was shown, its row, list item, card,
// dialog, labelled group. Lists use their rows again: the "Delete" of one record
// becomes, unchanged, that of another. Who comes back with a ref must find it in
// the place where it was shown.
//
// What counts, in the text of a place:
//   - numbers alone, amounts, times and "5 min ago" may change, unless they come
//     first or look like an id (a whole number of four digits or more);
//   - live regions, <time>, editors and fields do not count, nor do the other
//     buttons as long as there is any other text;
//   - text may be added, or go, when all the rest is as it was;
//   - of a large place only its heading counts, of a group its name, both without
//     a count in brackets.
// Anything else is another record.

const ITEM_ROLES = new Set(["row", "listitem", "article", "treeitem", "option", "dialog", "alertdialog", "comment"]);
const GROUP_ROLES = new Set(["group", "region", "radiogroup", "tabpanel", "form", "toolbar", "search"]);
const PLACE_TAGS = new Set(["tr", "li", "article", "dialog", "fieldset", "section", "form", "details"]);
const PLACE_BUTTONS = new Set(["button", "checkbox", "switch", "combobox", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "radio", "tab", "slider", "spinbutton"]);
const RESTLESS = new Set(["timer", "status", "log", "alert", "marquee", "progressbar", "meter"]);

const MAX_PLACE_TEXT = 400, MAX_PLACE_NODES = 300, MAX_PLACE_DEPTH = 40;
// Without roles, what looks like its neighbours is an item.
const MAX_PLAIN_DEPTH = 6, MAX_PLAIN_TEXT = 300;

const placeByElement = new WeakMap();

// ---- the text of a place

// piecesOf returns the texts in el in order, as {s, c}, c for what belongs to a
// button or another control; null when there is too much of it.
function piecesOf(el) {
  const out = [], stack = [{ node: el, c: false }];
  let nodes = 0, length = 0;
  while (stack.length) {
    const { node, c } = stack.pop(), type = nodeType(node);
    if (++nodes > MAX_PLACE_NODES) return null;
    if (type === 3) {
      const s = tidy(getData.call(node));
      if (s === "") continue;
      length += s.length;
      if (length > MAX_PLACE_TEXT) return null;
      out.push({ s, c });
    } else if (type === 1) {
      const inner = node === el ? false : insideOf(node, c, out);
      if (inner === null) continue;
      const kids = childNodesOf(node);
      for (let i = kids.length - 1; i >= 0; i--) stack.push({ node: kids[i], c: inner });
    }
  }
  return out;
}

// insideOf says whether what is in el belongs to a control, null when it does not
// count. Pictures count by their words.
function insideOf(el, c, out) {
  const tag = localName(el), bits = TAGS.get(tag) ?? 0;
  if (tag === "img" && attr(el, "alt")) out.push({ s: tidy(attr(el, "alt")), c });
  if (bits & (SKIP | LEAF) || tag === "time" || tag === "option") return null;
  if (elementHasAttributes.call(el)) {
    const role = attr(el, "role")?.trim().toLowerCase();
    if (RESTLESS.has(role) || isLive(el) || isEditingHost(el)) return null;
    if (PLACE_BUTTONS.has(role)) return true;
  }
  return c || tag === "button" || tag === "summary";
}

const WITH_WORDS = /\p{L}/u;
const AGO = /^(just now|now|today|yesterday|((about|over|almost|in) )?(an?|\d+) ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|yrs?|years?)( ago)?)$/i;
const MEASURE = /^[^\p{L}]*\d[^\p{L}]*\s?(k|m|x|[kmgt]?i?b|%|am|pm|ms|px|usd|eur|gbp|chf)?$/iu;
const ID_LIKE = /^\D?\d{4,}$/;
const mayChange = (s) => AGO.test(s) || (MEASURE.test(s) && (!ID_LIKE.test(s) || /^\p{Sc}/u.test(s)));

const steady = (pieces) => pieces.filter((p, i) => i === 0 || !mayChange(p.s)).map((p) => p.s);

// isPartOf reports whether the strings of a are, in order, among those of b.
function isPartOf(a, b) {
  let i = 0;
  for (const s of b) if (i < a.length && a[i] === s) i++;
  return i === a.length;
}

const equalLists = (a, b) => a.length === b.length && a.every((s, i) => s === b[i]);

// samePieces reports whether two texts of a place are about the same thing.
function samePieces(then, now) {
  let a = then.filter((p) => !p.c), b = now.filter((p) => !p.c);
  if (!a.some((p) => WITH_WORDS.test(p.s))) a = then, b = now;
  const was = steady(a), is = steady(b);
  if (was.length === 0 || !was.some((s) => WITH_WORDS.test(s))) return equalLists(a.map((p) => p.s), b.map((p) => p.s));
  if (isPartOf(was, is)) return true;
  return is.length > 0 && is[0] === was[0] && is.some((s) => WITH_WORDS.test(s)) && isPartOf(is, was);
}

// headingOf is the name of a large place, or its first heading.
function headingOf(el) {
  const name = hasAuthorName(el) ? nameOf(el) : "";
  if (name !== "") return name;
  const h = queryAll(el, "h1,h2,h3,h4,h5,h6,[role=heading]")[0];
  return h ? cut(tidy(textContent(h)), MAX_CLICK_NAME) : "";
}

const uncounted = (s) => s.replace(/\s*\(\d+\+?\)/g, "");

// ---- where an element is

// Places finds and reads the places of many elements.
class Places {
  constructor() {
    this.around = new Map(); // element → {item, group} around what is in it
    this.texts = new Map(); // item → {pieces, heading, unsure}
    this.cards = new Set(); // items that were found by their looks
  }

  // of returns what is around el: the nearest item, and the nearest named group
  // within that.
  of(el) {
    const path = [];
    let p = parentOf(el), found = { item: null, group: null };
    for (let depth = 0; p && depth < MAX_PLACE_DEPTH; p = parentOf(p), depth++) {
      const known = this.around.get(p);
      if (known !== undefined) {
        found = known;
        break;
      }
      path.push(p);
    }
    for (let i = path.length - 1; i >= 0; i--) {
      found = this.step(path[i], found);
      this.around.set(path[i], found);
    }
    return found;
  }

  step(el, outer) {
    const tag = localName(el);
    if (!PLACE_TAGS.has(tag) && !hasAttr(el, "role")) return outer;
    const role = roleOf(el);
    if (ITEM_ROLES.has(role) || tag === "tr" || tag === "li") return { item: el, group: null };
    return GROUP_ROLES.has(role) && (tag === "fieldset" || hasAuthorName(el)) ? { item: outer.item, group: el } : outer;
  }

  // plain returns the ancestor of el that looks like its neighbours and says
  // something besides el.
  plain(el) {
    const own = piecesOf(el)?.length ?? 0;
    for (let p = parentOf(el), depth = 0; p && depth < MAX_PLAIN_DEPTH; p = parentOf(p), depth++) {
      const text = this.text(p);
      if (text.pieces === null) return null;
      if (text.pieces.length > own && text.pieces.some((x) => !x.c && WITH_WORDS.test(x.s)) && hasTwins(p)) {
        return text.pieces.reduce((n, x) => n + x.s.length, 0) <= MAX_PLAIN_TEXT ? p : null;
      }
    }
    return null;
  }

  // cardAround returns the card of another control that el is in, too: what has a
  // name of its own goes with the record of its neighbours.
  cardAround(el) {
    if (this.cards.size === 0) return null;
    for (let p = parentOf(el), depth = 0; p && depth < MAX_PLAIN_DEPTH; p = parentOf(p), depth++) if (this.cards.has(p)) return p;
    return null;
  }

  text(item) {
    let t = this.texts.get(item);
    if (t === undefined) {
      const pieces = piecesOf(item);
      this.texts.set(item, (t = { pieces, heading: pieces === null ? headingOf(item) : "", unsure: false }));
    }
    return t;
  }

  // place is what is remembered of el, null when there is nothing to tell it by.
  place(el, isRepeated) {
    let { item, group } = this.of(el);
    if (item === null) item = isRepeated ? this.plain(el) : this.cardAround(el);
    if (item !== null && isRepeated && item !== this.of(el).item) this.cards.add(item);
    if (item === null && group === null) return null;
    return { item, text: item && this.text(item), key: item && keyOf(item), group: group ? uncounted(nameOf(group)) : "" };
  }
}

// hasTwins: one of the neighbours is of the same kind.
function hasTwins(el) {
  const tag = localName(el), kind = attr(el, "class");
  let n = 0;
  for (const next of [nextElement, previousElement]) {
    for (let e = next(el), i = 0; e && i < 2; e = next(e), i++) if (localName(e) === tag && attr(e, "class") === kind) n++;
  }
  return n > 0;
}

// keyOf is what the page itself knows a record by.
const keyOf = (item) => attr(item, "data-id") ?? attr(item, "data-key") ?? attr(item, "data-uuid") ?? attr(item, "id") ?? "";

// ---- remembering

// Reading the places costs as much as a walk of little, so it is done right after
// the answer is on its way. What is changed before it is done shows in the
// records of an observer, and is then not relied on.
let fresh = null, wake = null;
const placeWatch = new MutationObserver(() => {});
const PLACE_CHANGES = { subtree: true, childList: true, characterData: true };
const MAX_WATCHED_TREES = 50, MAX_RECORDS = 2000;

// rememberPlaces remembers the places of elements that are shown now, with names,
// in trees.
function rememberPlaces(shown, names, trees) {
  if (fresh !== null) settlePlaces();
  if (shown.length === 0) return;
  fresh = { shown, names };
  if (trees.length > MAX_WATCHED_TREES) return settlePlaces();
  for (const tree of trees) placeWatch.observe(tree, PLACE_CHANGES);
  if (wake === null) {
    wake = new MessageChannel();
    wake.port1.onmessage = settlePlaces;
  }
  return wake.port2.postMessage(0);
}

function settlePlaces() {
  if (fresh === null) return;
  const { shown, names } = fresh, records = placeWatch.takeRecords();
  fresh = null;
  placeWatch.disconnect();
  withMemo(() => {
    surveyStyles();
    const places = new Places(), counts = new Map();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    // What occurs once is placed last, by the cards of what occurs more often.
    for (const repeated of [true, false]) {
      shown.forEach((el, i) => {
        if (counts.get(names[i]) > 1 === repeated && getIsConnected.call(el)) placeByElement.set(el, places.place(el, repeated));
      });
    }
    for (const r of records.slice(0, MAX_RECORDS)) {
      for (let n = r.target; n; n = parentOf(n)) {
        const text = places.texts.get(n);
        if (text !== undefined) text.unsure = true;
      }
    }
    if (records.length > MAX_RECORDS) for (const text of places.texts.values()) text.unsure = true;
  });
}

// rememberPlace is for an element that is named outside of a snapshot. What was
// shown before stands.
function rememberPlace(el) {
  settlePlaces();
  if (!placeByElement.has(el)) placeByElement.set(el, new Places().place(el, true));
}

// ---- checking

const say = (text) => (text.pieces === null ? text.heading : cut(text.pieces.filter((p) => !p.c).map((p) => p.s).join(" ") || text.pieces.map((p) => p.s).join(" "), MAX_CLICK_NAME));

// displaced returns how the place of el differs from where it was shown, as {was,
// now}, null when it does not. was "" says that it is not known.
function displaced(el) {
  settlePlaces();
  const then = placeByElement.get(el);
  if (!then) return null;
  return withMemo(() => {
    surveyStyles();
    const places = new Places(), around = places.of(el);
    if (then.group !== "") {
      const now = around.group ? uncounted(nameOf(around.group)) : "";
      if (now !== then.group) return { was: then.group, now };
    }
    if (then.text === null) return null;
    const before = then.item;
    const item = before && containsFlat(before, el) ? before : around.item;
    const now = item ? places.text(item) : { pieces: [], heading: "" };
    if (then.text.unsure) return { was: "", now: say(now) };
    if (item === before && item && keyOf(item) !== then.key) return { was: say(then.text), now: say(now) };
    const same = then.text.pieces === null || now.pieces === null
      ? uncounted(then.text.heading) === uncounted(now.pieces === null ? now.heading : headingOf(item))
      : samePieces(then.text.pieces, now.pieces);
    return same || (then.text.pieces?.length === 0) ? null : { was: say(then.text), now: say(now) };
  });
}
