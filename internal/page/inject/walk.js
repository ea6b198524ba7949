// browse.snapshot: one pass over the flat tree, one line per row.

// Elements whose subtree shows nothing, or shows something that is not made of
// the children in the document.
const SKIPPED = new Set(`script style template noscript head title meta link base datalist source track param map object embed
defs symbol clipPath mask pattern marker linearGradient radialGradient filter metadata desc`.split(/\s+/));

// Leaves: controls and media, whose content is not read as children.
const LEAVES = new Set(["input", "textarea", "select", "img", "video", "audio", "canvas", "iframe", "frame", "fencedframe", "progress", "meter", "br", "hr", "wbr"]);

// Roles without a row of their own unless everything is asked for: they mark up
// words, or say only where something is.
const QUIET = new Set(["", "none", "strong", "emphasis", "code", "mark", "subscript", "superscript", "deletion", "insertion", "time", "sectionheader", "sectionfooter", "rowgroup", "suggestion"]);

// Roles that make up the bulk of a page. Their rows carry text, and get a ref
// only when every row does.
const PLAIN = new Set(["paragraph", "listitem", "row", "cell", "gridcell", "columnheader", "rowheader", "term", "definition", "caption", "blockquote", "group", "status", "alert", "log", "timer", "tooltip", "note", "graphics-symbol", "graphics-object"]);

// Roles whose row is not named by its content: the content has rows itself.
const HOLDERS = new Set(["row", "cell", "gridcell", "columnheader", "rowheader"]);

const LIVE = new Set(["alert", "status", "log"]);
const BLOCKS = new Set(`address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure
footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td
tfoot th thead tr ul`.split(/\s+/));

// Elements that take a click for everything in them.
const CLICK_TARGETS = new Set(["a", "button", "summary", "label", "option", "select", "input", "textarea"]);

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
// structure, t text, f frame. id 0: no ref. In s and e rows that have no name,
// value may hold the text which is all that is inside.
browse.snapshot = (opts = {}) => withMemo(() => new Walk(opts).run());

// clickLabel is the name of a clickable element that has no accessible name:
// the text in it, else its tag.
function clickLabel(el) {
  const text = tidy(new Naming(true).content(el, null));
  return text ? cut(text, MAX_CLICK_NAME) : describe(el);
}

// looksClickable reports whether el, not being a control, gets a c row.
function looksClickable(el, role) {
  const tag = localName(el);
  if (WIDGETS.has(role) || role === "iframe" || tag === "body" || tag === "html" || isEditingHost(el) || !isShown(el)) return false;
  if (hasAttr(el, "tabindex") && tabIndexOf(el) >= 0) return role === "" || role === "none";
  if (hasAttr(el, "onclick")) return !(tag === "label" && el.control);
  if (CLICK_TARGETS.has(tag) || styleOf(el).cursor !== "pointer") return false;
  const p = parentOf(el);
  return !p || styleOf(p).cursor !== "pointer";
}

class Walk {
  constructor(opts) {
    this.interactive = !!opts.interactive;
    this.clicks = this.interactive || !!opts.cursor;
    this.all = !!opts.all;
    this.urls = !!opts.urls;
    this.root = opts.root ? targetOf(opts.root) : null;
    this.maxDepth = opts.depth >= 0 ? opts.depth : Infinity;
    this.maxName = opts.maxName > 1 ? opts.maxName : MAX_NAME;
    this.out = [];
    this.frames = [];
    this.focused = deepFocus();
    this.text = null; // the text row that more text may join
    this.crossed = []; // inline elements entered or left since
    this.space = false;
  }

  run() {
    surveyStyles();
    const start = this.root ?? modalRoot() ?? getDocumentElement.call(document);
    if (!start) return "";
    const p = this.root && parentOf(this.root);
    this.push(null, [start], { depth: 0, pointer: !!p && styleOf(p).cursor === "pointer", covered: false, row: -1 });
    for (let frame; (frame = this.frames[this.frames.length - 1]); ) {
      const node = this.next(frame);
      if (!node) this.leave();
      else if (frame.elements && !frame.list) this.visit(node, frame);
      else {
        const type = nodeType(node);
        if (type === 1) this.visit(node, frame);
        else if (type === 3 && !this.interactive) this.onText(node, frame);
      }
    }
    return this.out.join("\n");
  }

  next(frame) {
    if (frame.list) return frame.list[frame.index++];
    const node = frame.node;
    if (node) frame.node = frame.elements ? nextElement(node) : nextSibling(node);
    return node;
  }

  // push opens the children of el; outer holds what they inherit.
  push(el, children, outer) {
    const list = Array.isArray(children) ? children : null;
    this.frames.push({
      el, list, index: 0, elements: this.interactive,
      node: list ? null : this.interactive ? firstElement(children) : firstChild(children),
      depth: outer.depth, pointer: outer.pointer, covered: outer.covered, row: outer.row,
      head: outer.head, tail: outer.tail, plain: outer.plain, owner: outer.owner ?? null, mute: undefined, transform: undefined,
    });
  }

  leave() {
    const frame = this.frames.pop();
    if (frame.head !== undefined) this.fold(frame);
    else if (frame.el && !this.interactive) this.cross(frame.el);
  }

  // fold moves the text of a row that holds nothing but one text into the row,
  // and takes back a row of structure that holds nothing at all.
  fold(frame) {
    if (this.out.length === frame.row + 1 && frame.plain) this.out.pop();
    else if (this.out.length === frame.row + 2 && this.text && this.text.index === frame.row + 1) {
      this.out.pop();
      this.out[frame.row] = frame.head + cut(this.text.text, this.maxName) + frame.tail;
    }
    this.text = null;
  }

  // cross notes that the border of an element without a row lies between two texts.
  cross(el) {
    if (!this.text) return;
    if (BLOCKS.has(localName(el))) this.text = null;
    else this.crossed.push(el);
  }

  visit(el, frame) {
    const tag = localName(el);
    if (SKIPPED.has(tag) && !(EMBED_TAGS.has(tag) && isFrame(el, tag))) return;
    if (!elementCheckVisibility.call(el) && styleOf(el).display !== "contents") return;
    const written = elementHasAttributes.call(el);
    if (written && (hasAttr(el, "inert") || (hasAttr(el, "aria-hidden") && ariaHides(el, this.focused)))) {
      if (el !== this.root) return;
    }
    const shadow = shadowOf(el);
    if (shadow && nodeType(shadow) === 11) surveyRoot(shadow);
    if (this.interactive) this.visitInteractive(el, tag, written, frame);
    else this.visitFull(el, tag, written, frame);
  }

  // ---- what can be used

  visitInteractive(el, tag, written, frame) {
    const role = written || !TRIVIAL.has(tag) ? roleOf(el) : "";
    let pointer = frame.pointer;
    const target = CLICK_TARGETS.has(tag);
    if (!target && (css.cursor || (written && /cursor/.test(attr(el, "style") ?? "")) || (written && hasAttr(el, "cursor")))) {
      pointer = styleOf(el).cursor === "pointer";
    }
    let row = -1;
    const kind = this.kindOf(el, tag, role, written, pointer && !frame.pointer);
    if (kind && elementCheckVisibility.call(el, WITH_VISIBILITY)) row = this.emitUsable(el, tag, role, kind, frame);
    if (LEAVES.has(tag)) return;
    this.push(el, flatChildren(el), { depth: row < 0 ? frame.depth : frame.depth + 1, pointer: pointer || target, covered: false, row });
  }

  // kindOf says what an element is to somebody who wants to use it: "e" a
  // control, "c" clickable by its looks or by an attribute, "f" a frame, "s" a
  // message or dialog to know about, "" nothing.
  kindOf(el, tag, role, written, pointer) {
    if (WIDGETS.has(role)) return "e";
    if (role === "iframe" || (EMBED_TAGS.has(tag) && isFrame(el, tag))) return "f";
    if (written) {
      if (isEditingHost(el)) return "e";
      if (hasAttr(el, "tabindex") && tabIndexOf(el) >= 0) return role ? "e" : "c";
      if (hasAttr(el, "onclick") && !(tag === "label" && el.control)) return tag === "body" || tag === "html" ? "" : "c";
      if ((tag === "video" || tag === "audio") && hasAttr(el, "controls")) return "e";
    }
    if (pointer && tag !== "body" && tag !== "html") return "c";
    if (role === "dialog" || role === "alertdialog") return "s";
    if (LIVE.has(role) || (written && isLive(el))) return "s";
    return "";
  }

  // emitUsable adds the row for an element of a kind and returns its index, -1
  // when there is none.
  emitUsable(el, tag, role, kind, frame) {
    switch (kind) {
      case "f": return this.emitFrame(el, frame);
      case "c": return this.emit(frame.depth, idOf(el), "c", role, nameWithSource(el, true).name || clickLabel(el), reasons(el).join(","), "", "");
      case "s": return this.emitContext(el, role, frame);
    }
    const row = this.emitElement(el, role, nameWithSource(el, true).name, "e", frame);
    if (tag === "select") this.emitOptions(el, role, frame.depth + 1);
    if (tag === "img" && hasAttr(el, "usemap")) this.emitAreas(el, frame.depth + 1);
    return row;
  }

  // emitContext adds a dialog, or a message that is not empty.
  emitContext(el, role, frame) {
    if (role === "dialog" || role === "alertdialog") {
      return this.emit(frame.depth, 0, "s", role, nameWithSource(el, true).name, statesOf(el, role, this.focused).join(","), "", "");
    }
    const text = tidy(new Naming(true).content(el, null));
    return text ? this.emit(frame.depth, 0, "s", role || "status", cut(text, MAX_LIVE_TEXT), "", "", "") : -1;
  }

  // ---- the whole structure

  visitFull(el, tag, written, frame) {
    const role = written || !TRIVIAL.has(tag) ? roleOf(el) : "";
    const shown = elementCheckVisibility.call(el, WITH_VISIBILITY) || (!elementCheckVisibility.call(el) && styleOf(el).visibility === "visible");
    let pointer = frame.pointer;
    if (this.clicks && (css.cursor || written)) pointer = styleOf(el).cursor === "pointer";
    const inner = { depth: frame.depth, pointer: pointer || CLICK_TARGETS.has(tag), covered: frame.covered, row: frame.row, owner: frame.owner };
    let row = -1;
    if (shown) row = this.emitStructure(el, tag, role, written, pointer && !frame.pointer, frame, inner);
    if (LEAVES.has(tag)) {
      if (row < 0) this.space = true;
      return;
    }
    if (row < 0) this.cross(el);
    else if (inner.depth > this.maxDepth) return;
    this.push(el, flatChildren(el), inner);
    const opened = this.frames[this.frames.length - 1];
    if (!shown) opened.mute = true;
    if (row >= 0) opened.owner = opened;
  }

  // emitStructure adds the row of el, if it has one, and sets in inner what its
  // children inherit.
  emitStructure(el, tag, role, written, pointer, frame, inner) {
    let kind = this.kindOf(el, tag, role, written, this.clicks && pointer);
    if (kind === "f") return this.emitFrame(el, frame);
    if (kind === "c" && !this.clicks && !hasAttr(el, "tabindex")) kind = "";
    const usable = kind === "e" || kind === "c";
    if (!usable) {
      if (frame.covered && !MUTE.has(role)) return -1;
      if (tag === "legend" || tag === "caption" || tag === "label") inner.covered = this.repeatsName(el, tag);
      if (inner.covered && (role === "caption" || role === "")) return -1;
      if (this.isQuiet(el, tag, role)) return -1;
      kind = PLAIN.has(role) && !this.all ? "s" : "e";
    }
    inner.covered = false;
    let { name, covers } = nameWithSource(el, true);
    if (kind === "s" && HOLDERS.has(role)) name = "", covers = false;
    if (kind === "c" && !name) name = clickLabel(el), covers = true;
    if ((role === "group" || role === "img") && !name && kind !== "c" && !usable && (role === "group" || tag === "svg") && !this.all) return -1;
    inner.covered = covers && name !== "" && role !== "row";
    const row = kind === "c"
      ? this.emit(frame.depth, idOf(el), "c", role, name, reasons(el).join(","), "", "")
      : this.emitElement(el, role, name, kind, frame, inner);
    inner.depth = frame.depth + 1;
    inner.row = row;
    if (tag === "select") this.emitOptions(el, role, inner.depth);
    if (tag === "img" && written && hasAttr(el, "usemap")) this.emitAreas(el, inner.depth);
    return row;
  }

  isQuiet(el, tag, role) {
    if (this.all) return role === "";
    return QUIET.has(role);
  }

  // repeatsName reports whether the text of a label, legend or caption is the
  // name of a row that is there anyway.
  repeatsName(el, tag) {
    if (tag === "label") {
      const c = isHTML(el) ? el.control : null;
      return !!c && isShown(c) && labelledBy(c).length === 0 && !attr(c, "aria-label");
    }
    const p = parentOf(el);
    const named = p && (tag === "legend" ? localName(p) === "fieldset" : localName(p) === "table" && roleOf(p) !== "");
    return !!named && labelledBy(p).length === 0 && !attr(p, "aria-label");
  }

  onText(node, frame) {
    if (frame.covered || frame.mute) return;
    const parent = frame.list ? parentNode(node) : frame.el;
    if (frame.mute === undefined) frame.mute = frame.el !== null && hidesContent(frame.el);
    if (frame.mute) return;
    const raw = getData.call(node);
    if (!NOT_BLANK.test(raw)) {
      this.space = true;
      return;
    }
    if (frame.transform === undefined) frame.transform = css.transform && parent && isElement(parent) ? styleOf(parent).textTransform : "none";
    const text = tidy(transformText(raw, frame.transform));
    if (!text) return;
    const last = this.text;
    if (last && last.owner === frame.owner) {
      const apart = this.space || ENDS_SPACE.test(last.raw) || STARTS_SPACE.test(raw);
      if (apart || !this.crossed.some((e) => !flowsInline(e))) {
        last.text += (apart ? " " : "") + text;
        last.raw = raw;
        this.space = false;
        this.crossed.length = 0;
        this.out[last.index] = `${frame.depth}\t0\tt\ttext\t${cut(last.text, this.maxName)}\t\t\t`;
        return;
      }
    }
    const index = this.emit(frame.depth, 0, "t", "text", text, "", "", "");
    if (index >= 0) this.text = { index, text, raw, owner: frame.owner };
  }

  // ---- rows

  emit(depth, id, kind, role, name, states, value, extra) {
    this.text = null;
    this.crossed.length = 0;
    this.space = false;
    if (depth > this.maxDepth) return -1;
    return this.out.push(`${depth}\t${id}\t${kind}\t${role}\t${cut(name, this.maxName)}\t${states}\t${value}\t${extra}`) - 1;
  }

  // emitElement adds a row with states and value. inner, when given, learns how
  // to put a text into the row later.
  emitElement(el, role, name, kind, frame, inner) {
    const control = controlOf(el);
    const states = statesOf(el, role, this.focused).join(",");
    let value = valueOf(control, role);
    if (value) value = cut(tidy(value), this.maxName);
    if (value && value === name) value = "";
    const extra = this.urls ? linkURL(el, role) : "";
    const row = this.emit(frame.depth, kind === "s" ? 0 : idOf(el), kind, role, name, states, value, extra);
    if (inner && row >= 0 && !name && !value) {
      inner.head = `${frame.depth}\t${kind === "s" ? 0 : idOf(el)}\t${kind}\t${role}\t\t${states}\t`;
      inner.tail = `\t${extra}`;
      inner.plain = kind === "s" && !states;
    } else if (inner) inner.head = undefined;
    return row;
  }

  // emitFrame adds the row of a frame. Frames of a pixel are for counting visits.
  emitFrame(el, frame) {
    const box = elementBox.call(el);
    if (box.width <= 1 || box.height <= 1) return -1;
    const name = nameWithSource(el, true, "iframe").name;
    return this.emit(frame.depth, idOf(el), "f", "iframe", name, el === this.focused ? "focused" : "", "", tidy(frameTokens.get(el) ?? ""));
  }

  // emitOptions lists the options of a <select>. Those of a closed one cannot
  // be clicked, so they have no refs, and a long list is cut short.
  emitOptions(select, role, depth) {
    const closed = role === "combobox" || select.size <= 1 && !select.multiple;
    const options = select.options, n = options.length;
    const limit = closed && !this.all && n > MAX_OPTIONS ? MAX_OPTIONS : n;
    let shown = 0;
    for (const o of options) {
      if (shown === limit) break;
      if (o.hidden || (!closed && !isShown(o))) continue;
      shown++;
      const name = nameWithSource(o, true, "option").name;
      this.emit(depth, closed ? 0 : idOf(o), closed ? "s" : "e", "option", name, statesOf(o, "option", this.focused).join(","), "", "");
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
        const extra = this.urls ? linkURL(area, "link") : "";
        this.emit(depth, idOf(area), "e", "link", nameWithSource(area, true, "link").name, statesOf(area, "link", this.focused).join(","), "", extra);
      }
      return;
    }
  }
}

// Elements that, without attributes, have no role wherever they are.
const TRIVIAL = new Set(["div", "span", "b", "i", "u", "small", "body", "html", "font", "center", "br", "pre", "slot", "picture", "dl", "figcaption", "legend", "tt", "big", "kbd", "samp", "cite", "q", "abbr"]);

const isLive = (el) => {
  const v = attr(el, "aria-live");
  return v === "polite" || v === "assertive";
};

// reasons says why an element counts as clickable.
function reasons(el) {
  const out = [];
  if (styleOf(el).cursor === "pointer") out.push("cursor:pointer");
  if (hasAttr(el, "onclick")) out.push("onclick");
  if (hasAttr(el, "tabindex") && tabIndexOf(el) >= 0) out.push("tabindex=" + tabIndexOf(el));
  return out;
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
