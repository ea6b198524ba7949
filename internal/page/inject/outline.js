// Roles without a row of their own unless everything is asked for: they mark up
// words, or say only where something is.
const QUIET = new Set(["", "none", "strong", "emphasis", "code", "mark", "subscript", "superscript", "deletion", "insertion", "time", "sectionheader", "sectionfooter", "rowgroup", "suggestion"]);

// Roles that make up the bulk of a page. Their rows carry text, and get a ref
// only when every row does.
const PLAIN = new Set(["paragraph", "listitem", "row", "cell", "gridcell", "columnheader", "rowheader", "definition", "caption", "blockquote", "group", "status", "alert", "log", "timer", "tooltip", "note", "graphics-symbol", "graphics-object"]);

// Roles that are no use without a name.
const NAME_OR_NOTHING = new Set(["group", "graphics-symbol", "graphics-object"]);

// PageWalk lists the whole page: structure with roles, and text.
class PageWalk extends Walk {
  constructor(opts) {
    super(opts);
    this.clicks = !!opts.cursor;
    this.single = { el: null, list: null, depth: 0, covered: false, label: "", owner: null, hidden: false, mute: undefined, transform: undefined };
    this.text = null; // the text row that more text may join
    this.crossed = []; // inline elements entered or left since
    this.space = false;
  }

  run() {
    const start = this.start();
    if (!start) return "";
    const top = { depth: 0, pointer: this.isPointerAround(), inside: false, covered: false, label: "", owner: null, hidden: this.all && this.modal !== null };
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
    return this.done();
  }

  // push opens the children of el; outer holds what they inherit. row is the
  // index of the row of el, bare what a text can be put into it with.
  push(el, children, outer, row, bare, mute) {
    const list = Array.isArray(children) ? children : null;
    const frame = {
      el, list, index: 0, node: list === null ? firstChild(children) : null, depth: outer.depth, pointer: outer.pointer, inside: outer.inside,
      covered: outer.covered, label: outer.label, owner: outer.owner, hidden: outer.hidden, row, bare, mute, transform: undefined,
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
    let shown = css.visibility ? elementCheckVisibility.call(el, WITH_VISIBILITY) : elementCheckVisibility.call(el), rendered = true;
    if (!shown && (!css.visibility || !elementCheckVisibility.call(el))) {
      const style = styleOf(el);
      rendered = style.display === "contents";
      if (style.display === "") this.meetHost(el);
      if (!rendered && !this.all) return;
      shown = style.visibility === "visible";
    }
    const flags = attrFlags(el);
    let hidden = false;
    if (this.all) {
      hidden = this.isHiddenBelow(el, flags, rendered, frame.hidden);
      this.hidden = hidden || !shown;
      shown = true;
    } else if (this.isOut(el, flags)) return;
    const shadow = shadowOf(el);
    if (shadow !== null) this.enterRoot(shadow);
    else if (bits === 0 && tag.includes("-")) this.met.push(el);
    const inside = frame.inside || takesClicks(el, tag, bits);
    const pointer = this.clicks && !inside ? this.pointerOn(el, flags, frame.pointer) : frame.pointer;
    const inner = { depth: frame.depth, pointer, inside, covered: frame.covered, label: frame.label, owner: frame.owner, hidden };
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
      frame.hidden = inner.hidden;
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
      if (this.refs ? role === "" : QUIET.has(role)) return -1;
      kind = PLAIN.has(role) && !this.refs ? "s" : "e";
    }
    return this.structure(el, tag, role, kind, flags, frame, inner);
  }

  structure(el, tag, role, kind, flags, frame, inner) {
    let name = "", covers = false;
    if (kind !== "s" || !(NAMED_BY_CONTENT.has(role) || (flags & (NAMING | TITLE)) === 0 && BARE.has(role))) {
      const quick = quickName(el, role, flags);
      if (quick !== null) name = quick, covers = true;
      else ({ name, covers } = this.nameFor(el, role));
    }
    if (name === "" && !this.refs && (NAME_OR_NOTHING.has(role) || tag === "svg") && kind !== "c" && !(flags & TABINDEX)) return -1;
    if (name === "" && (kind === "c" || (kind === "e" && looksClickable(el, role)))) {
      name = clickLabel(el);
      covers = !name.endsWith("…");
    }
    this.bare = null;
    const row = kind === "c" ? this.emitClickable(el, role, name, frame.depth) : this.emitElement(el, role, name, kind, frame.depth, flags);
    const bare = this.bare;
    inner.covered = (covers && name !== "" && role !== "row") || this.showsValue(role, flags, row) || (flags & (EDITABLE | ROLE) && isSecretRegion(el));
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
    if (frame.mute && !this.all) return;
    this.hidden = frame.hidden || frame.mute;
    if (frame.transform === undefined) {
      const parent = frame.list === null ? frame.el : parentNode(node);
      frame.transform = css.transform && parent && isElement(parent) ? styleOf(parent).textTransform : "none";
    }
    const text = tidy(transformText(raw, frame.transform));
    if (text === "" || (frame.label !== "" && this.isSaid(text, frame.label))) return;
    if (this.text !== null && this.text.owner === frame.owner && this.text.hidden === this.hidden && this.join(text, raw, frame.depth)) return;
    const index = this.close(this.emit(frame.depth, 0, "t", "text", text, this.hidden ? "hidden" : "", "", ""));
    this.text = index < 0 ? null : { index, text, raw, owner: frame.owner, hidden: this.hidden };
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
    this.out[last.index] = `${depth}\t0\tt\ttext\t${cut(last.text, this.maxName)}\t${last.hidden ? "hidden" : ""}\t\t`;
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
