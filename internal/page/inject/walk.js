// browse.snapshot: one pass over the flat tree, one line per row.

// What the walk needs to know about a tag.
const SKIP = 1, LEAF = 2, CLICKED = 4, TRIVIAL = 8, BLOCK = 16, EMBED = 32;

const TAGS = new Map();
const mark = (bits, tags) => { for (const tag of tags.split(/\s+/)) TAGS.set(tag, (TAGS.get(tag) ?? 0) | bits); };
// Their subtree shows nothing, or something that is not made of the children.
mark(SKIP, `script style template noscript head title meta link base datalist source track param map defs symbol clipPath mask
pattern marker linearGradient radialGradient filter metadata desc`);
mark(EMBED, "object embed");
// Controls and media, whose content is not read as children.
mark(LEAF, "input textarea select img video audio canvas iframe frame fencedframe progress meter br hr wbr object embed");
// They take a click for everything in them, if they are what they seem to be.
mark(CLICKED, "a button summary label option select input textarea");
function takesClicks(el, tag, bits) {
  if (!(bits & CLICKED)) return false;
  if (tag === "a") return hasAttr(el, "href") || hasAttr(el, "xlink:href");
  return tag !== "label" || (isHTML(el) && el.control !== null);
}

// Without attributes they have no role, wherever they are.
mark(TRIVIAL, "div span b i u small body html font center br pre slot picture dl figcaption tt big kbd samp cite q abbr");
mark(BLOCK, `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1
h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul`);

const LIVE = new Set(["alert", "status", "log"]);
const DIALOGS = new Set(["dialog", "alertdialog"]);

const MAX_NAME = 1000;
const MAX_CLICK_NAME = 80;
const MAX_LIVE_TEXT = 300;
const MAX_OPTIONS = 25;
const MAX_FAULT = 200;

// cut shortens s to n characters, the last of them an ellipsis.
function cut(s, n) {
  if (s.length <= n) return s;
  return s.slice(0, /[\ud800-\udbff]/.test(s[n - 2]) ? n - 2 : n - 1) + "…";
}

// snapshot returns the rows below opts.root (an element id, 0 the document),
// one per line, with the columns
//   depth  id  kind  role  name  states  value  extra  fault  box
// separated by tabs, the last two only where there is something. Kinds: e element with a ref, c clickable by its looks, s
// structure, t text, f frame. id 0: no ref. In a row without a name, value may
// hold the text which is all that is inside. Other options: interactive lists
// only what can be used; cursor adds c rows to the whole page; all adds what is
// hidden, with the state hidden; refs gives every element row a ref; urls puts
// the address of a link into extra; boxes adds where a row stands, see boxColumn;
// depth and maxName (characters) cut. fault is what is wrong with a field that is
// invalid.
browse.snapshot = (opts = {}) => withMemo(() => (opts.interactive ? new ControlWalk(opts) : new PageWalk(opts)).run());

// clickLabel is the name of a clickable element that has no accessible name:
// the text in it, else its tag.
function clickLabel(el) {
  const text = tidy(new Naming(true).content(el, null));
  return text ? cut(text, MAX_CLICK_NAME) : describe(el);
}

// looksClickable reports whether el, not being a control, gets a c row.
function looksClickable(el, role) {
  const tag = localName(el);
  if (WIDGETS.has(role) || role === "iframe" || isEditingHost(el) || !isShown(el)) return false;
  return kindOf(el, tag, role, attrFlags(el), hasOwnPointer(el)) === "c";
}

// hasOwnPointer reports whether el has a hand for a cursor that what is around
// it has not, and is not part of something that takes the click anyway.
function hasOwnPointer(el) {
  if (styleOf(el).cursor !== "pointer") return false;
  const p = parentOf(el);
  if (p && styleOf(p).cursor === "pointer") return false;
  for (let e = p; e; e = parentOf(e)) {
    const tag = localName(e);
    if (takesClicks(e, tag, TAGS.get(tag))) return false;
  }
  return true;
}

// kindOf says what an element is to somebody who wants to use it: "e" a
// control, "c" clickable by its looks or by an attribute, "f" a frame, "s" a
// message or dialog to know about, "" nothing. pointer: it has a hand for a
// cursor that it has not inherited.
function kindOf(el, tag, role, flags, pointer) {
  if (WIDGETS.has(role)) return "e";
  if (role === "iframe" || ((TAGS.get(tag) & EMBED) && isFrame(el, tag))) return "f";
  if (flags & EDITABLE && isEditingHost(el)) return "e";
  if (flags & TABINDEX && tabIndexOf(el) >= 0) return role ? "e" : "c";
  if (tag === "body" || tag === "html") return "";
  if (flags & ONCLICK && !(tag === "label" && el.control)) return "c";
  if (flags & PLAYER && (tag === "video" || tag === "audio")) return "e";
  if (pointer && !takesClicks(el, tag, TAGS.get(tag))) return "c";
  return DIALOGS.has(role) || LIVE.has(role) || (flags & LIVE_REGION && isLive(el)) ? "s" : "";
}

function isLive(el) {
  const v = attr(el, "aria-live");
  return v === "polite" || v === "assertive";
}

// reasons says why an element counts as clickable.
function reasons(el) {
  const out = [];
  if (styleOf(el).cursor === "pointer") out.push("cursor:pointer");
  if (hasAttr(el, "onclick")) out.push("onclick");
  if (hasAttr(el, "tabindex") && tabIndexOf(el) >= 0) out.push("tabindex=" + tabIndexOf(el));
  return out.join(",");
}

// linkURL is the absolute address of a link.
function linkURL(el, role) {
  if (role !== "link") return "";
  if (isHTML(el)) return tidy(el.href ?? "");
  const href = attr(el, "href") ?? attr(el, "xlink:href");
  try {
    return href ? tidy(new URL(href, el.baseURI).href) : "";
  } catch {
    return "";
  }
}

// quickName is the name of the many elements that hold one text and nothing
// else, null where it takes the full computation.
function quickName(el, role, flags) {
  if (flags & (NAMING | TITLE | EDITABLE) || !NAMED_BY_CONTENT.has(role) || hasPseudo(el)) return null;
  const tag = localName(el);
  if ((tag !== "a" && !QUICK.has(tag)) || (tag === "button" && labelsOf(el).length)) return null;
  const text = firstChild(el);
  if (!text || getNodeType.call(text) !== 3 || nextSibling(text) || shadowOf(el)) return null;
  return tidy(renderedText(text, el));
}

const QUICK = new Set(["button", "h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "li", "td", "th", "summary"]);

// boxColumn is the rectangle around el as "x,y,w,h", in whole CSS pixels of the
// viewport of this document, followed by ",o" when nothing of it shows; "" when it
// has none.
function boxColumn(el) {
  const rects = boxesOf(el);
  if (!rects.length) return "";
  const side = (pick, name) => Math.round(pick(...rects.map((r) => r[name])));
  const x = side(Math.min, "left"), y = side(Math.min, "top");
  const clip = clipOf(el);
  const shows = clip !== null && rects.some((r) => intersect(r, clip) !== null);
  return `${x},${y},${side(Math.max, "right") - x},${side(Math.max, "bottom") - y}${shows ? "" : ",o"}`;
}

// Walk is what both walks share: where they start, and how a row is written.
class Walk {
  constructor(opts) {
    this.all = !!opts.all;
    this.refs = !!opts.refs;
    this.urls = !!opts.urls;
    this.boxes = !!opts.boxes;
    this.root = opts.root ? targetOf(opts.root) : null;
    this.maxDepth = opts.depth >= 0 ? opts.depth : Infinity;
    this.maxName = opts.maxName > 1 ? opts.maxName : MAX_NAME;
    this.out = [];
    this.frames = [];
    this.bare = null;
    this.hidden = false; // whether what the next row is for is hidden
    this.shown = []; // elements that get a ref, with their names; see place.js
    this.names = [];
    this.met = []; // elements that may have a closed shadow root, see closed.js
    this.trees = [this.root ?? document];
    this.focused = deepFocus();
    this.modal = this.root ? null : modalRoot();
    surveyStyles();
  }

  // start is where the walk begins: a modal dialog leaves nothing else to use.
  start() {
    return this.root ?? (this.all ? null : this.modal) ?? getDocumentElement.call(document);
  }

  // done returns the rows. A last row of kind h says that browse.hosts has
  // something to ask the daemon for.
  done() {
    rememberPlaces(this.shown, this.names, this.trees);
    if (seekHosts(this.trees, this.met) > 0) this.out.push("0\t0\th");
    return this.out.join("\n");
  }

  // meetHost notes what is around an element that is no part of the flat tree.
  meetHost(el) {
    const host = hostAround(el);
    if (host !== null && host !== this.met[this.met.length - 1]) this.met.push(host);
  }

  enterRoot(shadow) {
    surveyRoot(shadow);
    this.trees.push(shadow);
  }

  // isHiddenBelow reports whether el and what is in it is hidden, given what is
  // around it. It is asked only where hidden elements are listed.
  isHiddenBelow(el, flags, rendered, around) {
    return el !== this.modal && (around || !rendered || this.isOut(el, flags));
  }

  // isPointerAround reports whether what is around the root has a hand for a cursor.
  isPointerAround() {
    const p = this.root && parentOf(this.root);
    return !!p && styleOf(p).cursor === "pointer";
  }

  // isOut reports whether el and all in it is left out of the accessibility tree.
  isOut(el, flags) {
    if (!(flags & (INERT | ARIA_HIDDEN)) || el === this.root) return false;
    return (flags & INERT) !== 0 || ariaHides(el, this.focused);
  }

  // pointerOn reports whether el has a hand for a cursor, asking the style only
  // where something can have given it one.
  pointerOn(el, flags, inherited) {
    if (!(flags & (STYLE | CURSOR)) && !setsCursor(el)) return inherited;
    return styleOf(el).cursor === "pointer";
  }

  emit(depth, id, kind, role, name, states, value, extra) {
    if (depth > this.maxDepth) return -1;
    return this.out.push(`${depth}\t${id}\t${kind}\t${role}\t${cut(name, this.maxName)}\t${states}\t${value}\t${extra}`) - 1;
  }

  // tail is extra with the columns behind it, which most rows do not have.
  tail(el, extra, invalid) {
    const fault = invalid ? cut(faultOf(el), MAX_FAULT) : "", box = this.boxes ? boxColumn(el) : "";
    return fault || box ? `${extra}\t${fault}\t${box}` : extra;
  }

  // emitElement adds a row with states and value. It leaves in this.bare what
  // a text can be put between, if the row has neither name nor value.
  emitElement(el, role, name, kind, depth, flags) {
    const list = statesOf(el, role, this.focused, flags);
    if (this.hidden) list.push("hidden");
    const states = list.length ? list.join(",") : "";
    let value = HAS_VALUE.has(role) || flags & EDITABLE ? valueOf(controlOf(el), role) : "";
    if (value) value = cut(tidy(value), this.maxName);
    const id = kind === "s" ? 0 : this.show(el, name), extra = this.tail(el, this.urls ? linkURL(el, role) : "", list.includes("invalid"));
    const row = this.emit(depth, id, kind, role, name, states, value, extra);
    this.bare = null;
    if (row >= 0 && name === "" && value === "") {
      this.bare = { head: `${depth}\t${id}\t${kind}\t${role}\t\t${states}\t`, tail: "\t" + extra, role, plain: kind === "s" && states === "" };
    }
    return row;
  }

  // show notes that el gets a ref, and returns its id.
  show(el, name) {
    this.shown.push(el);
    this.names.push(name);
    return idOf(el);
  }

  // nameFor returns the name of a row with its source.
  nameFor(el, role) {
    return nameWithSource(el, true, role, this.hidden);
  }

  emitClickable(el, role, name, depth) {
    name ||= clickLabel(el);
    return this.emit(depth, this.show(el, name), "c", role, name, reasons(el) + (this.hidden ? ",hidden" : ""), "", this.tail(el, "", false));
  }

  // emitFrame adds the row of a frame. Frames of a pixel are for counting visits.
  emitFrame(el, depth) {
    if (isTiny(el) && !this.hidden) return -1;
    const states = [this.hidden ? "hidden" : el === this.focused ? "focused" : "", loadingOf(el)].filter(Boolean).join();
    return this.emit(depth, idOf(el), "f", "iframe", this.nameFor(el, "iframe").name, states, "", this.tail(el, tidy(frameTokens.get(el) ?? ""), false));
  }

  // emitParts adds the rows of what is inside a control without being children
  // in the layout: options, areas of an image map.
  emitParts(el, tag, role, flags, depth) {
    if (tag === "select") this.emitOptions(el, role, depth);
    else if (tag === "img" && flags & MAPPED) this.emitAreas(el, depth);
  }

  // emitOptions lists the options of a <select>. Those of a closed one cannot
  // be clicked, so they have no refs, and a long list is cut short.
  emitOptions(select, role, depth) {
    const closed = role === "combobox", options = select.options, n = options.length;
    const limit = closed && !this.all && n > MAX_OPTIONS ? MAX_OPTIONS : n;
    let shown = 0;
    for (const o of options) {
      if (shown === limit) break;
      if (o.hidden || (!closed && !isShown(o))) continue;
      shown++;
      this.emitElement(o, "option", nameWithSource(o, true, "option").name, closed ? "s" : "e", depth, attrFlags(o));
    }
    if (n > limit) this.emit(depth, 0, "t", "text", `(${n - limit} more options)`, "", "", "");
  }

  // emitAreas lists the links of an image map under its image.
  emitAreas(img, depth) {
    const use = attr(img, "usemap");
    if (!use || use[0] !== "#") return;
    for (const map of queryAll(nodeRoot.call(img), "map")) {
      if (attr(map, "name") !== use.slice(1) && attr(map, "id") !== use.slice(1)) continue;
      for (const area of queryAll(map, "area[href]")) {
        this.emitElement(area, "link", nameWithSource(area, true, "link").name, "e", depth, attrFlags(area));
      }
      return;
    }
  }
}

const HAS_VALUE = new Set(["textbox", "searchbox", "combobox", "slider", "spinbutton", "progressbar", "meter", "scrollbar", "separator", "button", "listbox"]);

// ControlWalk lists what can be used, and what must be known to use it: frames,
// dialogs, messages. It goes from element to element and asks each as little as
// will do; only what may get a row is asked whether it shows.
class ControlWalk extends Walk {
  run() {
    const start = this.start();
    if (!start) return "";
    let frame = { list: [start], index: 0, node: null, depth: 0, pointer: this.isPointerAround(), inside: false, hidden: this.all && this.modal !== null };
    const frames = this.frames;
    for (;;) {
      let el;
      if (frame.list === null) {
        el = frame.node;
        if (el !== null) frame.node = getNextElement.call(el);
      } else el = this.nextListed(frame);
      if (el === null) {
        if ((frame = frames.pop()) === undefined) break;
        continue;
      }
      const inner = this.visit(el, frame);
      if (inner !== null) {
        frames.push(frame);
        frame = inner;
      }
    }
    return this.done();
  }

  nextListed(frame) {
    while (frame.index < frame.list.length) {
      const n = frame.list[frame.index++];
      if (isElement(n)) return n;
    }
    return null;
  }

  // visit adds the row of el, if it has one, and returns the frame of its
  // children, null when there are none to see.
  visit(el, frame) {
    const tag = getLocalName.call(el), bits = TAGS.get(tag) ?? 0;
    if (bits & SKIP) return null;
    const flags = attrFlags(el);
    let hidden = false;
    if (this.all) hidden = this.isHiddenBelow(el, flags, true, frame.hidden);
    else if (this.isOut(el, flags)) return null;
    const shadow = shadowOf(el);
    if (shadow !== null) this.enterRoot(shadow); // before the style of el, which a :host rule may make
    else if (bits === 0 && tag.includes("-")) this.met.push(el);
    let depth = frame.depth, pointer = frame.pointer;
    const inside = frame.inside || takesClicks(el, tag, bits);
    if (!inside && (flags & (STYLE | CURSOR) || setsCursor(el))) {
      // Style costs most where there is none: of what is not rendered.
      if (!this.all && !elementCheckVisibility.call(el) && styleOf(el).display !== "contents") return null;
      pointer = styleOf(el).cursor === "pointer";
    }
    this.hidden = hidden;
    if (!(bits & TRIVIAL) || flags || pointer !== frame.pointer) {
      if (this.row(el, tag, flags, pointer && !frame.pointer, depth)) depth++;
    }
    if (bits & LEAF) return null;
    return this.open(el, tag, shadow, depth, pointer, inside, hidden);
  }

  open(el, tag, shadow, depth, pointer, inside, hidden) {
    if (shadow === null && tag !== "slot") {
      const node = getFirstElement.call(el);
      return node === null ? null : { list: null, index: 0, node, depth, pointer, inside, hidden };
    }
    const children = flatChildren(el);
    if (Array.isArray(children)) return { list: children, index: 0, node: null, depth, pointer, inside, hidden };
    return { list: null, index: 0, node: firstElement(children), depth, pointer, inside, hidden };
  }

  // row adds the row for el and reports whether there is one.
  row(el, tag, flags, pointer, depth) {
    const role = roleOf(el), kind = kindOf(el, tag, role, flags, pointer);
    if (kind === "") return false;
    if (!isShown(el)) {
      if (styleOf(el).display === "") this.meetHost(el);
      if (!this.all) return false;
      this.hidden = true;
    }
    switch (kind) {
      case "f": return this.emitFrame(el, depth) >= 0;
      case "c": return this.emitClickable(el, role, this.nameFor(el, role).name, depth) >= 0;
      case "s": return this.emitContext(el, role, flags, depth);
    }
    const name = quickName(el, role, flags) ?? this.nameFor(el, role).name;
    this.emitElement(el, role, name, "e", depth, flags);
    this.emitParts(el, tag, role, flags, depth + 1);
    return true;
  }

  // emitContext adds a dialog, or a message that is not empty.
  emitContext(el, role, flags, depth) {
    if (DIALOGS.has(role)) return this.emitElement(el, role, this.nameFor(el, role).name, "s", depth, flags) >= 0;
    const text = tidy(new Naming(true, this.hidden).content(el, null));
    return text !== "" && this.emit(depth, 0, "s", role || "status", cut(text, MAX_LIVE_TEXT), this.hidden ? "hidden" : "", "", "") >= 0;
  }
}
