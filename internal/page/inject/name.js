// Accessible names: accname 1.2 with the choices of HTML-AAM 1.0, SVG-AAM 1.0
// and, where these leave one, of Chromium, so that a name is what the browser
// tells everyone else.

// tidy makes text fit for one column of one line: runs of white space become
// one space, control characters a space, private-use characters (icon fonts)
// go. No-break spaces stay, except at the ends.
const tidy = (s) => untangle(s).trim();

// tidyWritten is tidy for what an author has written as a name: no-break spaces
// stay (accname 1.2 speaks of ASCII white space only).
const tidyWritten = (s) => untangle(s).replace(/^ | $/g, "");

const TANGLED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ue000-\uf8ff]|  /;

function untangle(s) {
  if (!TANGLED.test(s)) return s;
  return s.replace(/[\ue000-\uf8ff]+/g, "").replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, " ");
}

// Roles that take their name from what is in them.
const NAMED_BY_CONTENT = new Set(`button cell checkbox columnheader gridcell heading link option menuitem menuitemcheckbox
menuitemradio radio rowheader switch tab term treeitem tooltip graphics-object doc-backlink doc-biblioref doc-noteref doc-glossref`.split(/\s+/));

// Roles whose content says nothing in the name of something around them: they
// hold many things. The others lend their text to what contains them.
const MUTE = new Set(`alert alertdialog application article audio banner blockquote combobox comment complementary contentinfo
dialog document feed figure form graphics-document graphics-symbol grid group iframe img listbox log main
marquee menu menubar meter navigation note progressbar radiogroup rowgroup scrollbar search searchbox sectionfooter
sectionheader separator slider spinbutton status suggestion table tablist tabpanel textbox timer toolbar tree treegrid
video`.split(/\s+/));

// Roles that must not be named (WAI-ARIA 1.2, 5.2.8.6); "" is generic. A name
// from ARIA is kept all the same, a tooltip does not become one.
const NAMELESS = new Set(["", "caption", "code", "deletion", "insertion", "definition", "emphasis", "mark", "paragraph", "strong", "suggestion"]);

const RANGES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar", "separator"]);
const CONTROLS = new Set(["button", "input", "select", "textarea"]);
const CONTROL_ROLES = new Set(`button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar
searchbox slider spinbutton switch tab textbox`.split(/\s+/));

// MAX_VISITED bounds the nodes that one name is made of, as Chromium does; it
// also keeps a page of nested buttons linear.
const MAX_VISITED = 100;

const FROM_NOTHING = 0, FROM_CONTENT = 1, FROM_ELSEWHERE = 2;

// nameOf returns the name that a snapshot shows for el: the accessible name,
// white space collapsed, trimmed. What has none but looks clickable goes by its
// text, so that a recycled card is not mistaken for what it was; what is hidden
// keeps the name it would have, so that it can be told apart.
function nameOf(el) {
  return withMemo(() => {
    const role = fullRole(el), hidden = !isShown(el) || isAriaHidden(el);
    return nameWithSource(el, true, role, hidden).name || (looksClickable(el, role) ? clickLabel(el) : "");
  });
}

// nameWithSource returns {name, covers}: covers says that the name is the whole
// text inside el. shown: el is known to be shown; lenient: what is hidden counts.
function nameWithSource(el, shown, role = fullRole(el), lenient = false) {
  if (role === "none") return { name: "", covers: false };
  const control = localName(el) === "label" ? hiddenControl(el) : null;
  const n = new Naming(shown, lenient);
  const text = control ? n.proxyName(el, control) : n.alternative(el, false, null, role);
  const covers = n.from === FROM_CONTENT;
  return { name: covers ? tidy(text) : tidyWritten(text), covers: covers && !n.capped };
}

// mayHaveTooltip: Chromium lets elements that take the focus, and custom
// elements, have a name that their role forbids.
function mayHaveTooltip(el, tag, role) {
  return !NAMELESS.has(role) || (role === "" && WORDED.has(tag)) || tag.includes("-") || isFocusable(el);
}

// labelledBy returns the elements that aria-labelledby refers to, by id or as
// set by script (ARIA element reflection).
function labelledBy(el) {
  let name = "aria-labelledby";
  if (!hasAttr(el, name)) {
    name = "aria-labeledby";
    if (!hasAttr(el, name)) return [];
  }
  const written = attr(el, name);
  if (!NOT_BLANK.test(written)) return name === "aria-labelledby" ? [...(getLabelledBy.call(el) ?? [])] : [];
  const out = [];
  for (const id of written.trim().split(/[\t\n\f\r ]+/)) {
    const target = byId(el, id);
    if (target) out.push(target);
  }
  return out;
}

const getLabelledBy = getterOf(Element, "ariaLabelledByElements");

// labelsOf returns the <label> elements of a control in tree order. The
// control's own `labels` would search the whole tree for each control.
function labelsOf(control) {
  const root = nodeRoot.call(control);
  const index = memoized("labels", root, (r) => {
    const byControl = new Map();
    if (nodeType(r) !== 9 && nodeType(r) !== 11) return byControl;
    for (const label of queryAll(r, "label")) {
      const c = isHTML(label) ? label.control : null;
      if (!c) continue;
      const list = byControl.get(c);
      if (list) list.push(label);
      else byControl.set(c, [label]);
    }
    return byControl;
  });
  return index.get(control) ?? [];
}

// renderedText is the text of a text node as CSS text-transform shows it.
function renderedText(text, parent) {
  const data = getData.call(text);
  if (!css.transform || !parent) return data;
  return transformText(data, styleOf(parent).textTransform);
}

function transformText(s, how) {
  switch (how) {
    case "none": return s;
    case "uppercase": return s.toUpperCase();
    case "lowercase": return s.toLowerCase();
    case "capitalize": return s.replace(/(^|[^\p{L}\p{N}\p{M}'’_])(\p{L})/gu, (_, before, c) => before + c.toUpperCase());
  }
  return s;
}

// Naming is one name computation: the nodes it has been through, and where the
// last part came from.
class Naming {
  constructor(shown, lenient = false) {
    this.shown = shown;
    this.lenient = lenient;
    this.visited = new Set();
    this.from = FROM_NOTHING;
    this.capped = false;
    this.hiddenTarget = false;
  }

  // proxyName names a label that stands in for the hidden control it belongs to.
  proxyName(label, control) {
    const labels = labelledBy(control);
    this.from = FROM_ELSEWHERE;
    const byIds = labels.length ? this.fromElements(labels, true) : "";
    if (NOT_BLANK.test(byIds)) return byIds;
    const written = attr(control, "aria-label");
    if (written && NOT_BLANK.test(written)) return written;
    this.visited.add(label);
    const text = this.content(label, null);
    this.from = FROM_CONTENT;
    return text;
  }

  // alternative is the text alternative of el (accname 1.2, 4.3.2). target is
  // set while an aria-labelledby is followed: the element it refers to.
  alternative(el, recursive, target, role) {
    const tag = localName(el);
    if (tag === "br") return this.found(FROM_CONTENT, "\n");
    const seen = this.visited.has(el);
    if (recursive && !seen) {
      const value = this.embeddedValue(el, tag, role);
      if (value !== null) return this.found(FROM_ELSEWHERE, value);
    }
    this.visited.add(el);
    if (tag !== "slot") {
      if (!(this.shown && !recursive) && this.isHidden(el, target)) return this.found(FROM_NOTHING, "");
      if (elementHasAttributes.call(el)) {
        const written = this.ariaName(el, target, seen);
        if (written !== null) return this.found(FROM_ELSEWHERE, written);
      }
      const native = this.nativeName(el, tag);
      if (native) return this.found(FROM_ELSEWHERE, native);
    }
    if (takesContent(el, tag, role, recursive, target)) {
      const text = isTextInput(el) && !isSecret(el) ? el.value : this.content(el, target);
      if (text) return this.found(FROM_CONTENT, text);
    }
    if (tag === "img" && attr(el, "alt") === "") return this.found(FROM_NOTHING, "");
    if (target || mayHaveTooltip(el, tag, role)) {
      const title = tooltip(el);
      if (title) return this.found(FROM_ELSEWHERE, title);
    }
    return this.found(FROM_NOTHING, "");
  }

  found(from, text) {
    this.from = from;
    return text;
  }

  // ariaName: steps 2B and 2C.
  ariaName(el, target, seen) {
    if (!target && !seen) {
      const labels = labelledBy(el);
      if (labels.length) {
        const text = this.fromElements(labels, true);
        if (NOT_BLANK.test(text)) return text;
      }
    }
    const label = attr(el, "aria-label");
    return label !== null && NOT_BLANK.test(label) ? label : null;
  }

  // fromElements joins the texts of several elements, of labels or of an
  // aria-labelledby.
  fromElements(elements, byReference) {
    let text = "";
    const outer = this.hiddenTarget;
    for (const e of elements) {
      let part = "";
      if (byReference) {
        this.hiddenTarget = !isShown(e) || isAriaHidden(e);
        part = this.alternative(e, true, e, fullRole(e));
      } else if (!this.visited.has(e)) part = this.alternative(e, true, null, fullRole(e));
      this.visited.add(e);
      if (part) text += text ? " " + part : part;
    }
    this.hiddenTarget = outer;
    return text;
  }

  // isHidden: step 2A. What a reference points at contributes although it is
  // hidden, and then everything in it does.
  isHidden(el, target) {
    if (this.lenient || (target && this.hiddenTarget)) return false;
    const tag = localName(el);
    if (tag === "noscript") return true;
    if ((tag === "title" || tag === "desc") && isSVG(el)) return false;
    if (isTrue(attr(el, "aria-hidden")) && ariaHides(el)) return true;
    if (tag === "area") return isHiddenFromTree(el);
    return tag === "option" || tag === "optgroup" ? false : !memoized("shown", el, isShown);
  }

  // content: steps 2F and 2G, the text inside el with its generated content.
  content(el, target) {
    const parts = new Parts(), shadow = shadowOf(el);
    if (shadow) surveyRoot(shadow);
    const generated = hasPseudo(el);
    if (generated) parts.addPseudo(pseudoOf(el, "::before"));
    this.addChildren(el, target, parts, hidesContent(el));
    if (generated) parts.addPseudo(pseudoOf(el, "::after"));
    return parts.text;
  }

  // addChildren adds the children of el; mute: el itself is not visible, but
  // what is in it may be.
  addChildren(el, target, parts, mute) {
    const from = flatChildren(el), list = Array.isArray(from);
    for (let i = 0, c = list ? from[0] : firstChild(from); c; c = list ? from[++i] : nextSibling(c)) {
      if (this.visited.size > MAX_VISITED) {
        this.capped = true;
        return;
      }
      const type = nodeType(c);
      if (type === 3 && !mute) {
        this.visited.add(c);
        parts.add(renderedText(c, list ? parentNode(c) : el), c, FROM_CONTENT);
      } else if (type === 1) {
        if (!this.isHidden(c, target)) this.addElement(c, target, parts);
        else if (isVeiled(c) && !this.visited.has(c)) {
          this.visited.add(c);
          this.addChildren(c, target, parts, true);
        }
      }
    }
  }

  addElement(c, target, parts) {
    if (this.visited.has(c) && c !== target) return;
    const role = fullRole(c);
    if (role === "none") {
      this.visited.add(c);
      parts.add(this.content(c, target), c, FROM_NOTHING);
    } else {
      const text = this.alternative(c, true, target, role);
      parts.add(text, c, this.from);
    }
  }

  // nativeName: step 2D, what the host language says.
  nativeName(el, tag) {
    if (!NATIVE.has(tag)) return isSVG(el) ? svgTitle(el, tag) : "";
    switch (tag) {
      case "img": case "area": return attr(el, "alt") ?? "";
      case "option": return el.label;
      case "optgroup": return attr(el, "label") || this.childName(el, "legend");
      case "table": return this.childName(el, "caption") || (attr(el, "summary") ?? "");
      case "fieldset": return this.childName(el, "legend");
      case "a": return isSVG(el) ? svgTitle(el, tag) : "";
    }
    const labels = labelsOf(el);
    if (labels.length) {
      const text = this.fromElements(labels, false);
      if (NOT_BLANK.test(text)) return text;
    }
    if (tag === "input") return inputName(el);
    return tag === "textarea" ? fieldHint(el) : "";
  }

  // childName is the name that a child such as <legend> gives.
  childName(el, tag) {
    for (let c = getFirstElement.call(el); c; c = nextElement(c)) {
      if (localName(c) === tag) return this.visited.has(c) ? "" : this.alternative(c, true, null, fullRole(c));
    }
    return "";
  }

  // embeddedValue: step 2E, the value of a control inside a label; null when el
  // is no such control. A secret stays one.
  embeddedValue(el, tag, role) {
    if (isTextInput(el) || isEditingHost(el)) return isSecret(el) ? "" : fieldValue(el) || null;
    if (isSecretRegion(el)) return "";
    if (role === "textbox" || role === "searchbox") return tag === "input" ? null : tidy(textContent(el));
    if (RANGES.has(role)) return rangeText(el, role) || null;
    if (role !== "combobox" && role !== "listbox") return null;
    if (tag === "select") {
      const parts = [];
      for (const o of el.selectedOptions) parts.push(attr(o, "aria-label") || o.label);
      return parts.join(" ");
    }
    return this.chosenOptions(el, role);
  }

  // chosenOptions of an ARIA combobox or listbox; a combobox without any has
  // its content for a value.
  chosenOptions(el, role) {
    const parts = [];
    for (const o of queryAll(el, "[role=option][aria-selected=true],[role=option][aria-checked=true]")) {
      if (!this.visited.has(o)) parts.push(this.alternative(o, true, null, "option"));
    }
    if (parts.length || role === "listbox") return parts.join(" ");
    this.visited.add(el);
    return this.content(el, null);
  }
}

// isVeiled: hidden by visibility alone, which children can undo.
const isVeiled = (el) => elementHasChild(el) && elementCheckVisibility.call(el) && !isTrue(attr(el, "aria-hidden"));
const elementHasChild = (el) => getFirstElement.call(el) !== null;

// Parts puts the texts of neighbours together, with a space where they are apart.
class Parts {
  constructor() {
    this.text = "";
    this.prev = null;
    this.last = FROM_NOTHING;
  }

  add(part, node, from) {
    const text = this.text;
    if (part && text && this.prev && !ENDS_SPACE.test(text) && !STARTS_SPACE.test(part) && wantsSpace(this.prev, node, this.last, from)) this.text += " ";
    this.text += part;
    this.prev = node;
    if (part) this.last = from;
  }

  addPseudo(box) {
    if (box) this.add(box.text, box, box.from);
  }
}

const NATIVE = new Set(["img", "area", "option", "optgroup", "table", "fieldset", "a", "input", "button", "select", "textarea", "meter", "output", "progress"]);
const ENDS_SPACE = /[\t\n\f\r ]$/;
const STARTS_SPACE = /^[\t\n\f\r ]/;

// isAriaHidden reports whether el or an ancestor is aria-hidden.
function isAriaHidden(el) {
  for (let e = el; e; e = parentOf(e)) if (isTrue(attr(e, "aria-hidden")) && ariaHides(e)) return true;
  return false;
}

// takesContent: whether the text inside el counts, for el itself or, in a
// recursion, for something around it.
function takesContent(el, tag, role, recursive, target) {
  if (tag === "select") return false;
  const field = isTextInput(el) || role === "textbox" || role === "searchbox" || isEditingHost(el);
  if (target) return !field || target === el;
  if (field) return false;
  if (NAMED_BY_CONTENT.has(role)) return true;
  if (role === "row") return inGrid(el);
  if (SILENT.has(tag) || (MUTE.has(role) && !(TALKING.has(tag) && !hasAttr(el, "role")))) return false;
  if (role.startsWith("doc-")) return false;
  return role === "math" || recursive;
}

// Elements that say nothing to what is around them although their role would,
// and elements that do although their role would not.
const SILENT = new Set(["rt", "rp", "math", "object", "embed"]);
const TALKING = new Set(["address", "details", "footer", "svg"]);

function inGrid(row) {
  for (let p = parentOf(row); p; p = parentOf(p)) {
    const role = fullRole(p);
    if (role === "grid" || role === "treegrid") return true;
    if (role !== "" && role !== "none" && role !== "group" && role !== "rowgroup") return false;
  }
  return false;
}

// tooltip is the title attribute, unless it repeats the content.
function tooltip(el) {
  const title = attr(el, "title");
  if (!title || !NOT_BLANK.test(title)) return "";
  const text = isHTML(el) ? getInnerText.call(el) : textContent(el);
  return text.trim() === title.trim() ? "" : title;
}

function svgTitle(el, tag) {
  for (let c = getFirstElement.call(el); c; c = nextElement(c)) {
    if (localName(c) === "title") return textContent(c);
  }
  return (tag === "a" && attr(el, "xlink:title")) || "";
}

const PLACEHOLDER_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number"]);

// inputName is the name of an <input> that no label names. Button texts that
// the browser chooses are the English ones.
function inputName(el) {
  switch (el.type) {
    case "button": return attr(el, "value") ?? "";
    case "submit": return attr(el, "value") ?? "Submit";
    case "reset": return attr(el, "value") ?? "Reset";
    case "image": return attr(el, "alt") || attr(el, "value") || tooltip(el) || "Submit";
    case "file": return tooltip(el) || (el.multiple ? "Choose Files" : "Choose File");
  }
  return PLACEHOLDER_TYPES.has(el.type) ? fieldHint(el) : attr(el, "aria-placeholder") ?? "";
}

const fieldHint = (el) => tooltip(el) || attr(el, "placeholder") || attr(el, "aria-placeholder") || "";

// wantsSpace: whether two neighbours whose texts touch are apart on the screen.
function wantsSpace(prev, next, last, from) {
  if (last === FROM_ELSEWHERE || from === FROM_ELSEWHERE) return true;
  return !flowsInline(prev) || !flowsInline(next);
}

const REPLACED = new Set(["img", "svg", "video", "audio", "canvas", "iframe", "object", "embed", "input", "select", "textarea", "button", "math", "meter", "progress"]);

// flowsInline reports whether a node, or generated content, is part of the text
// around it like a word: not a block, not an inline block, not a control.
function flowsInline(n) {
  if (n.inline !== undefined && n.from !== undefined) return n.inline;
  if (nodeType(n) !== 1) return true;
  const tag = localName(n);
  if (tag === "br" || REPLACED.has(tag) || CONTROL_ROLES.has(roleOf(n))) return false;
  const display = styleOf(n).display;
  return display === "inline" || display === "ruby";
}

// ---- generated content

// pseudoOf returns the text that ::before or ::after shows, or null.
function pseudoOf(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === "none" || content === "normal" || !content) return null;
  const display = style.display;
  if (display === "none" || style.visibility !== "visible") return null;
  const { text, alt } = readContent(content);
  return { text: alt ?? transformText(text, style.textTransform), from: alt === null ? FROM_CONTENT : FROM_ELSEWHERE, inline: display === "inline" };
}

// readContent reads a computed `content`: strings and quotes make the text, a
// string after a slash is the alternative text; images and counters are mute.
function readContent(content) {
  let text = "", alt = null;
  for (const [token, string] of content.matchAll(/"((?:[^"\\]|\\.)*)"|url\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|[\w-]+\([^)]*\)|[\w-]+|\//g)) {
    if (token === "/") alt = "";
    else if (string !== undefined) {
      const s = unescapeCSS(string);
      if (alt === null) text += s;
      else alt += s;
    } else if (token === "open-quote") text += "“";
    else if (token === "close-quote") text += "”";
  }
  return { text, alt };
}

function unescapeCSS(s) {
  if (!s.includes("\\")) return s;
  return s.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, hex, c) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : c));
}
