// browse.text, browse.html, browse.links: a page as somebody reads it.

// What text is: what innerText gives, which is the standard's own description
// of the text that a person sees and can select, line by line, with tabs
// between table cells, and these differences:
//   - shadow roots and slots are part of the page, frames have their place in it;
//   - a <select> shows the option that is chosen, not every one there is;
//   - content-visibility:auto content is there before it is scrolled to.
// What has been typed into fields is no text of the page, and may be a secret:
// snapshot and forms show values. Alternative texts of images are not on the
// screen either; snapshot shows those.
//
// innerText is native and ten times as fast as any walk, so every subtree
// without these specialities is left to it whole.
browse.text = (id = 0) => withMemo(() => {
  surveyStyles(false);
  const text = new TextReader(targetOf(id)).read();
  return seekOnChange() > 0 ? text + "\n" + HOSTS_MARK : text;
});

// The last line of a text or of links, when browse.hosts has something to ask
// for. The page cannot write a mark of ours, as its own control characters go.
const HOSTS_MARK = "\u0000hosts";

// browse.textSlowly reads all by hand, so that a test can tell whether that comes
// to the same as the native reading.
browse.textSlowly = (id = 0) => withMemo(() => {
  const reader = new TextReader(targetOf(id));
  reader.byHand = true;
  return reader.read();
});

const TEXT_SPECIALS = ["select", "iframe", "frame", "fencedframe", "object", "embed", "slot"];
const WITH_AUTO = { contentVisibilityAuto: true };

class TextReader {
  constructor(root) {
    this.root = root;
    this.mixed = new Set(); // what innerText does not do justice to, and all around it
    this.parts = []; // texts; a number stands for that many line breaks wanted
    this.frames = [];
    this.byHand = false;
    this.secret = new Set(); // elements whose text is a secret
  }

  read() {
    if (!this.root || !isRendered(this.root) || inSecretRegion(this.root)) return "";
    this.survey();
    this.element(this.root);
    while (this.frames.length) this.step(this.frames[this.frames.length - 1]);
    return this.join();
  }

  // ---- what innerText would get wrong

  survey() {
    const trees = [this.root];
    const shadow = shadowOf(this.root);
    if (shadow) trees.push(shadow), this.mark(this.root);
    if (isSlot(this.root)) for (const n of slotAssigned.call(this.root)) if (isElement(n)) trees.push(n);
    while (trees.length) {
      const tree = trees.pop();
      // A collection by tag is kept by the document as long as it does not change.
      if (isElement(tree)) {
        for (const tag of TEXT_SPECIALS) for (const el of elementsByTag.call(tree, tag)) this.mark(el);
      } else for (const el of queryAll(tree, TEXT_SPECIALS.join())) this.mark(el);
      for (const el of queryAll(tree, REGIONS)) {
        if (isSecretRegion(el)) this.secret.add(el), this.mark(el);
      }
      this.surveyTree(tree, trees);
    }
  }

  surveyTree(tree, trees) {
    const classes = new Map();
    let el = firstElement(tree);
    while (el !== null) {
      const shadow = shadowOf(el);
      if (shadow !== null) {
        surveyRoot(shadow);
        this.mark(el);
        trees.push(shadow);
      }
      if (css.contentVisibility && isSkippedUntilSeen(el, classes)) this.mark(el);
      let next = getFirstElement.call(el);
      while (next === null) {
        next = getNextElement.call(el);
        if (next !== null) break;
        el = getParentNode.call(el);
        if (el === tree || el === null || getNodeType.call(el) !== 1) return;
      }
      el = next;
    }
  }

  mark(el) {
    for (; el && !this.mixed.has(el); el = parentOf(el)) {
      this.mixed.add(el);
      if (el === this.root) return;
    }
  }

  // ---- reading

  // element reads el, or opens it for step when its parts need reading apart.
  element(el) {
    const tag = localName(el), outer = this.frames[this.frames.length - 1];
    if (isFrame(el, tag)) return this.frame(el);
    if (tag === "br") return void this.parts.push("\n");
    if (tag === "select" && isHTML(el)) return void (isShown(el) && this.parts.push([...el.selectedOptions].map((o) => tidy(o.label)).join(", ")));
    if (TAGS.get(tag) & (SKIP | LEAF) || this.secret.has(el)) return undefined;
    const style = styleOf(el), display = style.display;
    if (!elementCheckVisibility.call(el) && display !== "contents") return undefined;
    const visible = style.visibility === "visible", breaks = el === this.root || !visible ? 0 : breaksAround(tag, display);
    if (display === "table-cell" && outer && outer.cells++) this.parts.push("\t");
    const inline = display === "inline" || display === "contents";
    if (breaks || !inline) this.parts.push(breaks);
    const byHand = this.byHand || (outer?.byHand ?? false) || !isHTML(el);
    if (!byHand && !this.mixed.has(el)) {
      this.parts.push(getInnerText.call(el));
      if (breaks) this.parts.push(breaks);
      return undefined;
    }
    const children = flatChildren(el), list = Array.isArray(children) ? children : null;
    this.frames.push({
      list, index: 0, node: list ? null : firstChild(children), breaks, cells: 0, inline,
      // innerText does not lay out what content-visibility:auto has skipped.
      byHand: byHand || (css.contentVisibility && style.contentVisibility === "auto"),
      mute: !visible || hidesContent(el), tight: TIGHT.test(display), keep: style.whiteSpaceCollapse, transform: style.textTransform,
    });
    return undefined;
  }

  step(frame) {
    const node = frame.list ? frame.list[frame.index++] : frame.node;
    if (!node) {
      this.frames.pop();
      const last = this.parts[this.parts.length - 1];
      if (!frame.inline && typeof last === "string") this.parts[this.parts.length - 1] = last.replace(/ +$/, "");
      if (frame.breaks) this.parts.push(frame.breaks);
      return;
    }
    if (!frame.list) frame.node = nextSibling(node);
    const type = nodeType(node);
    if (type === 1) this.element(node);
    else if (type === 3 && !frame.mute) this.string(getData.call(node), frame);
  }

  // string adds the text of one text node, with its white space as CSS has it.
  string(s, frame) {
    if (frame.tight && !NOT_BLANK.test(s)) return;
    if (frame.keep === "preserve-breaks") s = s.replace(/[\t ]*\n[\t ]*/g, "\n").replace(/[\t ]+/g, " ");
    else if (frame.keep === "collapse" || !frame.keep) {
      s = s.replace(/[\t\n\f\r ]+/g, " ");
      const last = this.parts[this.parts.length - 1];
      if (s[0] === " " && (typeof last !== "string" || /\s$/.test(last))) s = s.slice(1);
    }
    if (s) this.parts.push(transformText(s, frame.transform));
  }

  // frame leaves a mark where the daemon puts the text of the framed document.
  frame(el) {
    const token = frameTokens.get(el);
    if (!isShown(el) || isTiny(el)) return;
    if (token !== undefined) this.parts.push(1, { token }, 1);
    else if (loadingOf(el) === "not loaded") this.unloaded();
  }

  // unloaded counts frames that the browser does not load, those in a row at once.
  unloaded() {
    const last = this.parts.findLast((p) => typeof p !== "number" && (typeof p !== "string" || NOT_BLANK.test(p)));
    if (last?.unloaded) last.unloaded++;
    else this.parts.push(1, { unloaded: 1 }, 1);
  }

  // join puts the parts together: of line breaks that meet, the most counts.
  join() {
    let text = "", breaks = 0;
    for (const part of this.parts) {
      if (typeof part === "number") {
        breaks = Math.max(breaks, part);
        continue;
      }
      const own = typeof part === "string" ? clean(part) : part.unloaded ? unloadedText(part.unloaded) : "\u0000frame:" + part.token;
      if (own === "") continue;
      if (breaks) text = text.replace(/[\t ]+$/, "") + (text ? "\n".repeat(breaks) : "");
      breaks = 0;
      text += own;
    }
    return neat(text);
  }
}

const unloadedText = (n) => (n === 1 ? "(a frame that the browser has not loaded)" : `(${n} frames that the browser has not loaded)`);

// neat takes white space away from the ends of lines and of the text, and more
// than one empty line in a row. Looking first is much cheaper than replacing
// nothing in a long text.
function neat(text) {
  if ([" \n", "\t\n", "\u2028", "\u2029"].some((s) => text.includes(s))) text = text.replace(/[\t ]+$/gm, "");
  if (text.includes("\n\n\n")) text = text.replace(/\n{3,}/g, "\n\n");
  return text.replace(/^\n+/, "").trimEnd();
}

// White space between the boxes of these is no text.
const TIGHT = /^(table|inline-table|table-row|table-(row|header|footer)-group|(inline-)?(flex|grid))$/;

const clean = (s) => (CONTROLS_BUT_LINES.test(s) ? s.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, " ") : s);
const CONTROLS_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

// breaksAround is how many line breaks the borders of a box ask for (HTML,
// rendered text collection steps).
function breaksAround(tag, display) {
  if (tag === "p") return 2;
  return display === "contents" || display.startsWith("inline") || display.startsWith("ruby") || display === "table-cell" ? 0 : 1;
}

// isSkippedUntilSeen: content-visibility:auto and off the screen. innerText
// leaves that out. A child tells of its parent; leaves are asked kind by kind.
function isSkippedUntilSeen(el, classes) {
  const child = getFirstElement.call(el);
  if (child) return !elementCheckVisibility.call(child, WITH_AUTO) && styleOf(el).contentVisibility === "auto";
  const key = `${localName(el)} ${attr(el, "class")} ${attr(el, "style")}`;
  let auto = classes.get(key);
  if (auto === undefined) classes.set(key, (auto = styleOf(el).contentVisibility === "auto"));
  return auto;
}

// ---- html

// browse.html returns the inner HTML of an element, or for 0 the whole document
// with its doctype. Secrets that stand in the markup are masked.
browse.html = (id = 0) => {
  if (id) {
    const el = targetOf(id);
    if (inSecretRegion(el)) return textContent(el) ? REDACTED : "";
    return getInnerHTML.call(hasWrittenSecret(el) ? masked(el) : el);
  }
  const root = getDocumentElement.call(document);
  const html = !root ? "" : getOuterHTML.call(hasWrittenSecret(root) ? masked(root) : root);
  let doctype = firstChild(document);
  while (doctype && nodeType(doctype) !== 10) doctype = nextSibling(doctype);
  return (doctype ? new XMLSerializer().serializeToString(doctype) + "\n" : "") + html;
};

const REDACTED = "[redacted]";
const WRITTEN = "input,textarea," + REGIONS;

// isWrittenSecret reports whether the markup of a field holds a secret: what the
// field itself is for, or what its name says. That a field is hidden says nothing.
function isWrittenSecret(el) {
  const area = localName(el) === "textarea";
  if (!isHTML(el) || !(area ? textContent(el) : attr(el, "value"))) return false;
  return WRITTEN_SECRET.test(attr(el, "name") ?? "") || WRITTEN_SECRET.test(attr(el, "id") ?? "") || ((area || el.type !== "hidden") && isSecret(el));
}

// The names of commands.md section 5.7, where they stand as a word.
const WRITTEN_SECRET = /(^|[_.-])(token|secret|key|password|passwd|credential|auth|jwt|session|csrf|xsrf|sid)s?($|[_.-])|api[_-]?key|csrf|xsrf/i;

const isField = (el) => localName(el) === "input" || localName(el) === "textarea";
const standsOpen = (el) => (isField(el) ? isWrittenSecret(el) : isSecretRegion(el) && textContent(el) !== "");
const templateContent = getterOf(HTMLTemplateElement, "content");
const isTemplate = (n) => nodeType(n) === 1 && localName(n) === "template" && isHTML(n);

// fieldsIn yields root, if it can hold a secret, and all that can below it, also in
// templates: their content is in the markup and not in the tree.
function* fieldsIn(root) {
  if (nodeType(root) === 1 && matches(root, WRITTEN)) yield root;
  if (isTemplate(root)) yield* fieldsIn(templateContent.call(root));
  for (const el of queryAll(root, WRITTEN + ",template")) {
    if (isTemplate(el)) yield* fieldsIn(templateContent.call(el));
    if (matches(el, WRITTEN)) yield el;
  }
}

function hasWrittenSecret(root) {
  for (const el of fieldsIn(root)) if (standsOpen(el)) return true;
  return false;
}

// masked returns a copy of el without secrets. It is made in a document without
// a browsing context, so that no custom element of the page comes to life.
function masked(el) {
  const copy = getImplementation.call(document).createHTMLDocument("").importNode(el, true);
  const copies = [...fieldsIn(copy)];
  [...fieldsIn(el)].forEach((field, i) => {
    if (!standsOpen(field)) return;
    if (localName(field) === "input") copies[i].setAttribute("value", REDACTED);
    else setTextContent.call(copies[i], REDACTED);
  });
  return copy;
}

// ---- links

// The line that stands for a frame that the browser does not load.
const UNLOADED_MARK = "\u0000unloaded";

const MAX_LINK_NAME = 120;

// browse.links returns every link of an element or the document as a line with
// its name, a tab and its absolute address; what has no text has its accessible
// name, what is not shown its text. A line with a mark stands for the links of a
// frame, as in browse.text.
browse.links = (id = 0) => withMemo(() => {
  surveyStyles();
  const out = [];
  for (const el of flatElements(targetOf(id))) {
    const tag = localName(el), token = isFrame(el, tag) ? frameTokens.get(el) : undefined;
    if (token !== undefined) out.push("\u0000frame:" + token);
    else if (loadingOf(el, tag) === "not loaded") out.push(UNLOADED_MARK);
    if ((tag !== "a" && tag !== "area") || !(hasAttr(el, "href") || hasAttr(el, "xlink:href"))) continue;
    const url = linkURL(el, "link");
    if (url) out.push(cut((quickName(el, "link", attrFlags(el)) ?? nameOf(el)) || tidy(textContent(el) || (attr(el, "alt") ?? "")), MAX_LINK_NAME) + "\t" + url);
  }
  if (seekOnChange() > 0) out.push(HOSTS_MARK);
  return out.join("\n");
});

// flatElements iterates the elements of the flat tree from root on, in order.
function* flatElements(root) {
  const stack = root ? [root] : [];
  while (stack.length) {
    const el = stack.pop();
    yield el;
    const kids = childrenOf(el);
    for (let i = kids.length - 1; i >= 0; i--) stack.push(kids[i]);
  }
}
