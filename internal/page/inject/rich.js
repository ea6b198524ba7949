// browse.rich: a page as HTML that says the same as browse.text, for those who
// turn it into something else: links, headings, tables and pictures kept, hidden
// content, scripts, styles and what has been typed left out, shadow roots and
// slots as the screen shows them, addresses absolute.

const RICH_TAGS = new Set(`a abbr address article aside audio b blockquote body caption cite code col colgroup dd del details dfn div dl dt em
figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd legend li main mark math menu nav ol p pre q s samp section
small span strike strong sub summary sup table tbody td tfoot th thead time tr u ul var video`.split(/\s+/));
const RICH_VOID = new Set(["img", "hr", "br", "col"]);
const RICH_ATTRS = ["id", "class", "role", "itemprop", "rel", "lang", "dir", "datetime", "title", "colspan", "rowspan", "start", "reversed", "value"];
// Deeper elements give their content, but no tag of their own: HTML parsers have
// a bound of 512, and frames add up.
const RICH_DEPTH = 100;

// browse.rich returns {html, head} of an element or the document, head being
// what says who wrote it and when; {over: true} for more than max characters.
browse.rich = (id, max) => withMemo(() => {
  surveyStyles();
  const root = targetOf(id), w = new RichWriter(root, max);
  if (!root || !isRendered(root) || inSecretRegion(root)) return { html: "", head: "" };
  w.element(root);
  while (w.stack.length && w.size <= max) w.step(w.stack[w.stack.length - 1]);
  if (w.unloaded > 0) w.tellUnloaded();
  return w.size > max ? { over: true } : { html: w.parts.join(""), head: id ? "" : richHead() };
});

const escapeHTML = (s) => (/[&<>"\u00a0]/.test(s) ? s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/\u00a0/g, "&nbsp;") : s);

// shownURL is an address without the name and password that it may hold.
const shownURL = (url) => url.replace(/^([^/?#]*:\/\/)[^/?#]*@/, "$1");

// richHead is the title and the descriptions of the document.
function richHead() {
  const parts = [];
  for (const el of queryAll(document, "head title,head meta[content],head script[type='application/ld+json'],html[lang]")) {
    const tag = localName(el);
    if (tag === "title") parts.push(`<title>${escapeHTML(clean(textContent(el)))}</title>`);
    else if (tag === "script") {
      const json = textContent(el);
      if (json.length < 200_000 && !/<\/script/i.test(json)) parts.push(`<script type="application/ld+json">${clean(json)}</script>`);
    } else if (tag === "meta") {
      const names = ["name", "property", "itemprop"].filter((n) => attr(el, n)).map((n) => `${n}="${escapeHTML(attr(el, n))}"`);
      const content = attr(el, "content");
      if (names.length && content.length < 10_000) parts.push(`<meta ${names.join(" ")} content="${escapeHTML(clean(content))}">`);
    }
  }
  return parts.join("");
}

class RichWriter {
  constructor(root, max) {
    this.root = root;
    this.max = max;
    this.parts = [];
    this.size = 0;
    this.stack = [];
    this.unloaded = 0; // frames in a row that the browser has not loaded
    this.said = 0; // how often something was said that shows
  }

  put(s) {
    if (this.unloaded > 0 && NOT_BLANK.test(s)) this.tellUnloaded();
    this.size += s.length;
    this.parts.push(s);
  }

  // say adds text that is not a text node's.
  say(s) {
    if (s) this.said++;
    this.put(escapeHTML(s));
  }

  element(el) {
    const tag = localName(el), outer = this.stack[this.stack.length - 1];
    if (isFrame(el, tag)) return this.frame(el);
    if (tag === "br") return this.put("<br>");
    if (tag === "select" && isHTML(el)) return isShown(el) ? this.say([...el.selectedOptions].map((o) => tidy(o.label)).join(", ")) : undefined;
    if (tag === "img") return isShown(el) ? this.image(el) : undefined;
    if (tag === "svg") return isShown(el) ? this.say(nameOf(el)) : undefined;
    if (tag === "hr") return isShown(el) ? this.put("<hr>") : undefined;
    if (TAGS.get(tag) & (SKIP | LEAF) || isSecretRegion(el)) return undefined;
    const style = styleOf(el), display = style.display;
    if (!elementCheckVisibility.call(el) && display !== "contents") return undefined;
    const shadow = shadowOf(el);
    if (shadow) surveyRoot(shadow);
    const children = flatChildren(el), list = Array.isArray(children) ? children : null;
    const as = this.stack.length < RICH_DEPTH ? this.tagFor(tag, display) : "";
    if (as) this.put(this.open(el, as));
    this.stack.push({
      el, as, list, index: 0, said: this.said, node: list ? null : firstChild(children), transform: style.textTransform,
      mute: style.visibility !== "visible" || hidesContent(el), pre: as === "pre" || (outer?.pre ?? false),
      tight: TIGHT.test(display), breaks: as !== "pre" && !(outer?.pre ?? false) && /^preserve/.test(style.whiteSpaceCollapse),
    });
    return undefined;
  }

  // tagFor is the element to write for one with a tag and a display. What a
  // style has made a block of is one, whatever its tag.
  tagFor(tag, display) {
    const inline = display.startsWith("inline") || display === "contents" || display.startsWith("ruby");
    if (tag === "div" || tag === "span" || !RICH_TAGS.has(tag)) return inline ? "span" : "div";
    return tag;
  }

  open(el, as) {
    let s = "<" + as;
    for (const name of RICH_ATTRS) {
      const v = attr(el, name);
      if (v && v.length < 500 && (name !== "value" || as === "li")) s += ` ${name}="${escapeHTML(clean(v))}"`;
    }
    if (as === "a") s += this.address("href", linkURL(el, "link"));
    if ((as === "video" || as === "audio") && isHTML(el)) s += this.address("src", el.currentSrc || el.src);
    return s + ">";
  }

  // address is an attribute with an address; what an address carries itself, or
  // what runs a script, is none.
  address(name, url) {
    return !url || /^(data|javascript|blob):/i.test(url) ? "" : ` ${name}="${escapeHTML(clean(shownURL(url)))}"`;
  }

  image(el) {
    if (!isHTML(el)) return undefined;
    const alt = clean(attr(el, "alt") ?? ""), src = this.address("src", el.currentSrc || el.src);
    if (!src || isTiny(el)) return this.say(alt);
    if (alt) this.said++;
    return this.put(`<img${src} alt="${escapeHTML(alt)}"${this.titled(el)}>`);
  }

  titled(el) {
    const title = attr(el, "title");
    return title ? ` title="${escapeHTML(clean(title))}"` : "";
  }

  step(frame) {
    const node = frame.list ? frame.list[frame.index++] : frame.node;
    if (!node) {
      this.stack.pop();
      // An icon that is a link is called by its name.
      if (frame.as === "a" && frame.said === this.said) this.say(nameOf(frame.el));
      if (frame.as && !RICH_VOID.has(frame.as)) this.put(`</${frame.as}>`);
      return;
    }
    if (!frame.list) frame.node = nextSibling(node);
    const type = nodeType(node);
    if (type === 1) this.element(node);
    else if (type === 3 && !frame.mute) {
      const text = getData.call(node);
      const blank = !NOT_BLANK.test(text);
      if (frame.tight && blank) return;
      if (!blank) this.said++;
      const html = escapeHTML(transformText(clean(text), frame.transform));
      this.put(frame.breaks ? html.replace(/\n/g, "<br>") : html);
    }
  }

  frame(el) {
    const token = frameTokens.get(el);
    if (!isShown(el) || isTiny(el)) return;
    if (token !== undefined) this.put("\u0000frame:" + token + "\u0000");
    else if (loadingOf(el) === "not loaded") this.unloaded++;
  }

  tellUnloaded() {
    const n = this.unloaded;
    this.unloaded = 0;
    this.put("<p>" + unloadedText(n) + "</p>");
  }
}
