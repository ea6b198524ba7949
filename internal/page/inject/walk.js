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

// Roles without a row of their own unless everything is asked for: they mark up
// words, or say only where something is.
const QUIET = new Set(["", "none", "strong", "emphasis", "code", "mark", "subscript", "superscript", "deletion", "insertion", "time", "sectionheader", "sectionfooter", "rowgroup", "suggestion"]);

// Roles that make up the bulk of a page. Their rows carry text, and get a ref
// only when every row does.
const PLAIN = new Set(["paragraph", "listitem", "row", "cell", "gridcell", "columnheader", "rowheader", "definition", "caption", "blockquote", "group", "status", "alert", "log", "timer", "tooltip", "note", "graphics-symbol", "graphics-object"]);

// Roles that are no use without a name.
const NAME_OR_NOTHING = new Set(["group", "graphics-symbol", "graphics-object"]);

const LIVE = new Set(["alert", "status", "log"]);
const DIALOGS = new Set(["dialog", "alertdialog"]);

const MAX_NAME = 1000;
const MAX_CLICK_NAME = 80;
const MAX_LIVE_TEXT = 300;
const MAX_OPTIONS = 25;

// cut shortens s to n characters, the last of them an ellipsis.
function cut(s, n) {
  if (s.length <= n) return s;
  return s.slice(0, /[\ud800-\udbff]/.test(s[n - 2]) ? n - 2 : n - 1) + "…";
}

// snapshot returns the rows below opts.root (an element id, 0 the document),
// one per line, with the columns
//   depth  id  kind  role  name  states  value  extra
// separated by tabs. Kinds: e element with a ref, c clickable by its looks, s
// structure, t text, f frame. id 0: no ref. In a row without a name, value may
// hold the text which is all that is inside.
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

// Walk is what both walks share: where they start, and how a row is written.
class Walk {
  constructor(opts) {
    this.all = !!opts.all;
    this.urls = !!opts.urls;
    this.root = opts.root ? targetOf(opts.root) : null;
    this.maxDepth = opts.depth >= 0 ? opts.depth : Infinity;
    this.maxName = opts.maxName > 1 ? opts.maxName : MAX_NAME;
    this.out = [];
    this.frames = [];
    this.bare = null;
    this.focused = deepFocus();
    surveyStyles();
  }

  // start is where the walk begins: a modal dialog leaves nothing else to use.
  start() {
    return this.root ?? modalRoot() ?? getDocumentElement.call(document);
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

  // emitElement adds a row with states and value. It leaves in this.bare what
  // a text can be put between, if the row has neither name nor value.
  emitElement(el, role, name, kind, depth, flags) {
    const list = statesOf(el, role, this.focused, flags), states = list.length ? list.join(",") : "";
    let value = HAS_VALUE.has(role) || flags & EDITABLE ? valueOf(controlOf(el), role) : "";
    if (value) value = cut(tidy(value), this.maxName);
    const id = kind === "s" ? 0 : idOf(el), extra = this.urls ? linkURL(el, role) : "";
    const row = this.emit(depth, id, kind, role, name, states, value, extra);
    this.bare = null;
    if (row >= 0 && name === "" && value === "") {
      this.bare = { head: `${depth}\t${id}\t${kind}\t${role}\t\t${states}\t`, tail: "\t" + extra, role, plain: kind === "s" && states === "" };
    }
    return row;
  }

  emitClickable(el, role, name, depth) {
    return this.emit(depth, idOf(el), "c", role, name || clickLabel(el), reasons(el), "", "");
  }

  // emitFrame adds the row of a frame. Frames of a pixel are for counting visits.
  emitFrame(el, depth) {
    if (isTiny(el)) return -1;
    const name = nameWithSource(el, true, "iframe").name;
    return this.emit(depth, idOf(el), "f", "iframe", name, el === this.focused ? "focused" : "", "", tidy(frameTokens.get(el) ?? ""));
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
    let frame = { list: [start], index: 0, node: null, depth: 0, pointer: this.isPointerAround(), inside: false };
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
    return this.out.join("\n");
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
    if (this.isOut(el, flags)) return null;
    const shadow = shadowOf(el);
    if (shadow !== null) surveyRoot(shadow); // before the style of el, which a :host rule may make
    let depth = frame.depth, pointer = frame.pointer;
    const inside = frame.inside || takesClicks(el, tag, bits);
    if (!inside && (flags & (STYLE | CURSOR) || setsCursor(el))) {
      // Style costs most where there is none: of what is not rendered.
      if (!elementCheckVisibility.call(el) && styleOf(el).display !== "contents") return null;
      pointer = styleOf(el).cursor === "pointer";
    }
    if (!(bits & TRIVIAL) || flags || pointer !== frame.pointer) {
      if (this.row(el, tag, flags, pointer && !frame.pointer, depth)) depth++;
    }
    if (bits & LEAF) return null;
    return this.open(el, tag, shadow, depth, pointer, inside);
  }

  open(el, tag, shadow, depth, pointer, inside) {
    if (shadow === null && tag !== "slot") {
      const node = getFirstElement.call(el);
      return node === null ? null : { list: null, index: 0, node, depth, pointer, inside };
    }
    const children = flatChildren(el);
    if (Array.isArray(children)) return { list: children, index: 0, node: null, depth, pointer, inside };
    return { list: null, index: 0, node: firstElement(children), depth, pointer, inside };
  }

  // row adds the row for el and reports whether there is one.
  row(el, tag, flags, pointer, depth) {
    const role = roleOf(el), kind = kindOf(el, tag, role, flags, pointer);
    if (kind === "" || !isShown(el)) return false;
    switch (kind) {
      case "f": return this.emitFrame(el, depth) >= 0;
      case "c": return this.emitClickable(el, role, nameWithSource(el, true, role).name, depth) >= 0;
      case "s": return this.emitContext(el, role, flags, depth);
    }
    const name = quickName(el, role, flags) ?? nameWithSource(el, true, role).name;
    this.emitElement(el, role, name, "e", depth, flags);
    this.emitParts(el, tag, role, flags, depth + 1);
    return true;
  }

  // emitContext adds a dialog, or a message that is not empty.
  emitContext(el, role, flags, depth) {
    if (DIALOGS.has(role)) return this.emitElement(el, role, nameWithSource(el, true, role).name, "s", depth, flags) >= 0;
    const text = tidy(new Naming(true).content(el, null));
    return text !== "" && this.emit(depth, 0, "s", role || "status", cut(text, MAX_LIVE_TEXT), "", "", "") >= 0;
  }
}

// PageWalk lists the whole page: structure with roles, and text.
class PageWalk extends Walk {
  constructor(opts) {
    super(opts);
    this.clicks = !!opts.cursor;
    this.single = { el: null, list: null, depth: 0, covered: false, label: "", owner: null, mute: undefined, transform: undefined };
    this.text = null; // the text row that more text may join
    this.crossed = []; // inline elements entered or left since
    this.space = false;
  }

  run() {
    const start = this.start();
    if (!start) return "";
    const top = { depth: 0, pointer: this.isPointerAround(), inside: false, covered: false, label: "", owner: null };
    this.push(null, [start], top, -1, null, undefined);
    const frames = this.frames;
    for (let frame; (frame = frames[frames.length - 1]) !== undefined; ) {
      let node;
      if (frame.list === null) {
        node = frame.node;
        if (node !== null) frame.node = getNextSibling.call(node);
      } else node = frame.list[frame.index++] ?? null;
      if (node === null) this.leave();
      else {
        const type = getNodeType.call(node);
        if (type === 1) this.visit(node, frame);
        else if (type === 3) this.onText(node, frame);
      }
    }
    return this.out.join("\n");
  }

  // push opens the children of el; outer holds what they inherit. row is the
  // index of the row of el, bare what a text can be put into it with.
  push(el, children, outer, row, bare, mute) {
    const list = Array.isArray(children) ? children : null;
    const frame = {
      el, list, index: 0, node: list === null ? firstChild(children) : null, depth: outer.depth, pointer: outer.pointer, inside: outer.inside,
      covered: outer.covered, label: outer.label, owner: outer.owner, row, bare, mute, transform: undefined,
    };
    if (row >= 0) frame.owner = frame;
    this.frames.push(frame);
  }

  leave() {
    const frame = this.frames.pop();
    if (frame.row >= 0) this.fold(frame.row, frame.bare);
    else if (frame.el !== null) this.cross(frame.el);
  }

  // fold tidies up after a row whose content has been listed: a structure that
  // holds nothing is taken back, a text that is all there is moves into the row,
  // and an item or paragraph around one row leaves it to stand for itself.
  fold(row, bare) {
    const out = this.out, rows = out.length - row - 1;
    if (bare !== null && rows === 0) {
      if (bare.plain && !CELLS.has(bare.role)) out.pop();
    } else if (bare !== null && rows === 1) {
      if (this.text !== null && this.text.index === row + 1) {
        out.pop();
        out[row] = bare.head + cut(this.text.text, this.maxName) + bare.tail;
      } else if (bare.plain && WRAPPERS.has(bare.role)) {
        const inner = out.pop();
        out[row] = bare.head.slice(0, bare.head.indexOf("\t")) + inner.slice(inner.indexOf("\t"));
      }
    }
    this.text = null;
  }

  // cross notes that the border of an element without a row lies between two texts.
  cross(el) {
    if (this.text === null) return;
    if (TAGS.get(localName(el)) & BLOCK) this.text = null;
    else this.crossed.push(el);
  }

  visit(el, frame) {
    const tag = getLocalName.call(el), bits = TAGS.get(tag) ?? 0;
    if (bits & SKIP) return;
    let shown = elementCheckVisibility.call(el, WITH_VISIBILITY);
    if (!shown && !elementCheckVisibility.call(el)) {
      const style = styleOf(el);
      if (style.display !== "contents") return;
      shown = style.visibility === "visible";
    }
    const flags = attrFlags(el);
    if (this.isOut(el, flags)) return;
    const shadow = shadowOf(el);
    if (shadow) surveyRoot(shadow);
    const inside = frame.inside || takesClicks(el, tag, bits);
    const pointer = this.clicks && !inside ? this.pointerOn(el, flags, frame.pointer) : frame.pointer;
    const inner = { depth: frame.depth, pointer, inside, covered: frame.covered, label: frame.label, owner: frame.owner };
    let row = -1;
    if (shown && (!(bits & TRIVIAL) || flags || pointer !== frame.pointer)) row = this.row(el, tag, flags, pointer && !frame.pointer, frame, inner);
    if (row < 0) this.cross(el);
    if (bits & LEAF) {
      if (row < 0) this.space = true;
      return;
    }
    if (inner.depth > this.maxDepth) return;
    const bare = row < 0 ? null : this.bare;
    if (shadow !== null || tag === "slot") this.push(el, flatChildren(el), inner, row, bare, shown ? undefined : true);
    else this.enter(el, inner, row, bare, shown);
  }

  // enter opens the children of el; one text alone is dealt with on the spot.
  enter(el, inner, row, bare, shown) {
    const first = getFirstChild.call(el);
    if (first !== null && getNodeType.call(first) === 3 && getNextSibling.call(first) === null) {
      const frame = this.single;
      frame.el = el;
      frame.depth = inner.depth;
      frame.covered = inner.covered;
      frame.label = inner.label;
      frame.owner = row >= 0 ? el : inner.owner;
      frame.mute = shown ? undefined : true;
      frame.transform = undefined;
      this.onText(first, frame);
    } else if (first !== null) return this.push(el, el, inner, row, bare, shown ? undefined : true);
    if (row >= 0) this.fold(row, bare);
    else this.cross(el);
    return undefined;
  }

  // row adds the row of el, if it has one, sets in inner what its children
  // inherit and returns the index, -1 without a row.
  row(el, tag, flags, pointer, frame, inner) {
    const role = roleOf(el);
    let kind = kindOf(el, tag, role, flags, pointer);
    if (kind === "f") return this.close(this.emitFrame(el, frame.depth));
    if (kind === "c" && !this.clicks && !(flags & TABINDEX)) kind = "";
    if (kind !== "e" && kind !== "c") {
      if (frame.covered && (!MUTE.has(role) || role === "img")) return -1;
      if ((tag === "legend" || tag === "caption" || tag === "label") && repeatsName(el, tag)) {
        inner.covered = true;
        return -1;
      }
      if (this.all ? role === "" : QUIET.has(role)) return -1;
      kind = PLAIN.has(role) && !this.all ? "s" : "e";
    }
    return this.structure(el, tag, role, kind, flags, frame, inner);
  }

  structure(el, tag, role, kind, flags, frame, inner) {
    let name = "", covers = false;
    if (kind !== "s" || !(NAMED_BY_CONTENT.has(role) || (flags & (NAMING | TITLE)) === 0 && BARE.has(role))) {
      const quick = quickName(el, role, flags);
      if (quick !== null) name = quick, covers = true;
      else ({ name, covers } = nameWithSource(el, true, role));
    }
    if (name === "" && !this.all && (NAME_OR_NOTHING.has(role) || tag === "svg") && kind !== "c" && !(flags & TABINDEX)) return -1;
    if (name === "" && (kind === "c" || (kind === "e" && looksClickable(el, role)))) {
      name = clickLabel(el);
      covers = !name.endsWith("…");
    }
    this.bare = null;
    const row = kind === "c" ? this.emitClickable(el, role, name, frame.depth) : this.emitElement(el, role, name, kind, frame.depth, flags);
    const bare = this.bare;
    inner.covered = (covers && name !== "" && role !== "row") || this.showsValue(role, flags, row);
    inner.label = WIDGETS.has(role) || NAMED_BY_CONTENT.has(role) ? name.toLowerCase() : "";
    inner.depth = frame.depth + 1;
    this.close(row);
    this.emitParts(el, tag, role, flags, inner.depth);
    this.bare = bare;
    return row;
  }

  // showsValue reports whether the row has all the text of what can be written in.
  showsValue(role, flags, row) {
    if (row < 0 || !(flags & EDITABLE || role === "textbox" || role === "searchbox" || role === "combobox")) return false;
    const value = this.out[row].split("\t")[6];
    return value !== "" && !value.endsWith("…");
  }

  // close ends the text row, as another row comes after it.
  close(row) {
    if (row >= 0) this.text = null;
    this.space = false;
    this.crossed.length = 0;
    return row;
  }

  onText(node, frame) {
    if (frame.covered || frame.mute) return;
    const raw = getData.call(node);
    if (!NOT_BLANK.test(raw)) {
      this.space = true;
      return;
    }
    if (frame.mute === undefined) frame.mute = frame.el !== null && hidesContent(frame.el);
    if (frame.mute) return;
    if (frame.transform === undefined) {
      const parent = frame.list === null ? frame.el : parentNode(node);
      frame.transform = css.transform && parent && isElement(parent) ? styleOf(parent).textTransform : "none";
    }
    const text = tidy(transformText(raw, frame.transform));
    if (text === "" || (frame.label !== "" && this.isSaid(text, frame.label))) return;
    if (this.text !== null && this.text.owner === frame.owner && this.join(text, raw, frame.depth)) return;
    const index = this.close(this.emit(frame.depth, 0, "t", "text", text, "", "", ""));
    this.text = index < 0 ? null : { index, text, raw, owner: frame.owner };
  }

  // isSaid reports whether the name of the row around it makes a text superfluous:
  // it says the same, or the text is a symbol that stands for it.
  isSaid(text, label) {
    return !WORDY.test(text) || label.includes(text.toLowerCase());
  }

  // join adds text to the text row before it and reports whether it could.
  join(text, raw, depth) {
    const last = this.text, apart = this.space || ENDS_SPACE.test(last.raw) || STARTS_SPACE.test(raw);
    if (!apart && !this.crossed.every(flowsInline)) return false;
    last.text += (apart ? " " : "") + text;
    last.raw = raw;
    this.space = false;
    this.crossed.length = 0;
    this.out[last.index] = `${depth}\t0\tt\ttext\t${cut(last.text, this.maxName)}\t\t\t`;
    return true;
  }
}

// Empty cells stay: without them the others would stand in the wrong column.
const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const WRAPPERS = new Set(["listitem", "paragraph", "definition"]);
const WORDY = /[\p{L}\p{N}]/u;

// BARE roles have no name but one that an attribute gives.
const BARE = new Set(["paragraph", "listitem", "row", "definition", "blockquote", "status", "alert", "log", "timer", "note", "caption"]);

// repeatsName reports whether the text of a label, legend or caption is the
// name of a row that is there anyway.
function repeatsName(el, tag) {
  let named;
  if (tag === "label") {
    named = isHTML(el) ? el.control : null;
    if (!named || !isShown(named)) return false;
  } else {
    named = parentOf(el);
    if (!named || localName(named) !== (tag === "legend" ? "fieldset" : "table") || roleOf(named) === "") return false;
  }
  return !hasAttr(named, "aria-label") && !hasAttr(named, "aria-labelledby");
}
