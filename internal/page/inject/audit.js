// browse.audit: what a visitor sees of a page's structure at first sight, for
// judging its usability (after Krug's "trunk test"): what site is this, what page,
// what are its main parts, where am I, how do I search.

const AUDIT = { navigation: 5, here: 5, crumbs: 10, headings: 50, candidates: 200, blocks: 50, items: 30 };

browse.audit = () => withMemo(() => {
  surveyStyles();
  const root = targetOf(0);
  const out = {
    url: shownURL(getURL.call(document)), title: tidy(getTitle.call(document)), siteId: null, pageName: null, navigation: [], youAreHere: [], search: null,
    breadcrumbs: [], headings: [], interactive: [], textBlocks: [], totalWords: 0,
  };
  if (!root) return out;
  const a = new Audit(out);
  for (const el of flatElements(root)) a.element(el, localName(el));
  a.close();
  return out;
});

const shortText = (el, n) => cut(visibleWords(el), n);

// visibleWords is the text in el on one line.
const visibleWords = (el) => tidy(isHTML(el) ? getInnerText.call(el) : textContent(el));

const wordCount = (s) => (s.match(/\S+/g) ?? []).length;

const CRUMBS = /bread-?crumb/i;
const BRAND = /(^|[-_ ])(logo|brand|site-?(name|title|id))/i;

class Audit {
  constructor(out) {
    this.out = out;
    this.candidates = 0;
    this.logo = null; // a link to the start that is called or looks like a logo
    this.home = null;
  }

  element(el, tag) {
    const shadow = shadowOf(el);
    if (shadow) surveyRoot(shadow);
    const role = roleOf(el), out = this.out;
    if (/^h[1-6]$/.test(tag)) this.heading(el, tag);
    if (role === "navigation" && isVisible(el)) this.navigation(el);
    this.crumbs(el, role);
    if (hasAttr(el, "aria-current") && attr(el, "aria-current") !== "false" && out.youAreHere.length < AUDIT.here && isVisible(el)) {
      out.youAreHere.push({ text: shortText(el, 80), current: attr(el, "aria-current"), tag });
    }
    if (!out.search && (role === "search" || role === "searchbox" || (tag === "input" && /search|^q$/i.test(`${attr(el, "name") ?? ""} ${attr(el, "placeholder") ?? ""}`.trim()))) && isVisible(el)) {
      out.search = { tag, role, label: cut(nameOf(el) || attr(el, "placeholder") || "", 80) };
    }
    this.brand(el, tag);
    this.control(el, tag, role);
    this.block(el, tag);
  }

  heading(el, tag) {
    const out = this.out;
    if (out.headings.length >= AUDIT.headings || !isVisible(el)) return;
    const text = shortText(el, 80);
    out.headings.push({ tag, text, fontSize: styleOf(el).fontSize });
    if (tag === "h1" && !out.pageName) out.pageName = text;
  }

  navigation(el) {
    if (this.out.navigation.length >= AUDIT.navigation) return;
    const links = [...queryAll(el, "a[href]")].filter(isVisible);
    this.out.navigation.push({ label: nameOf(el), links: links.slice(0, AUDIT.items).map((l) => cut(nameOf(l), 50)), total: links.length });
  }

  crumbs(el, role) {
    const out = this.out;
    if (out.breadcrumbs.length || !(CRUMBS.test(attr(el, "class") ?? "") || CRUMBS.test(attr(el, "id") ?? "") || (role === "navigation" && CRUMBS.test(attr(el, "aria-label") ?? "")))) return;
    if (!isVisible(el)) return;
    const items = [...queryAll(el, "li,a")].filter((n) => localName(n) === "li" || !n.closest("li"));
    out.breadcrumbs = items.filter(isVisible).slice(0, AUDIT.crumbs).map((n) => shortText(n, 80));
  }

  // brand looks for what says whose site this is: a logo, or the link to the start.
  brand(el, tag) {
    if (this.logo || (tag !== "a" && tag !== "img" && tag !== "svg" && !BRAND.test(attr(el, "class") ?? ""))) return;
    const named = BRAND.test(`${attr(el, "class") ?? ""} ${attr(el, "id") ?? ""}`) || /logo/i.test(attr(el, "alt") ?? "");
    const toStart = tag === "a" && isHTML(el) && !!attr(el, "href") && el.origin === location.origin && el.pathname === "/" && !el.hash;
    if ((!named && !(toStart && !this.home)) || !isVisible(el)) return;
    const found = { text: cut(nameOf(el) || visibleWords(el), 80), tag };
    if (!found.text) return;
    if (named) this.logo = found;
    else this.home = found;
  }

  control(el, tag, role) {
    if (this.candidates >= AUDIT.candidates || !(WIDGETS.has(role) || isEditingHost(el))) return;
    this.candidates++;
    if (!isVisible(el)) return;
    const box = elementBox.call(el);
    this.out.interactive.push({
      tag, text: cut(nameOf(el), 50), type: FORM_FIELDS.has(tag) && isHTML(el) ? el.type : "", role, w: Math.round(box.width), h: Math.round(box.height),
    });
  }

  // block counts words where they stand: in elements that hold text themselves.
  block(el, tag) {
    if (!isHTML(el) || TAGS.get(tag) & (SKIP | LEAF)) return;
    let own = "";
    for (const n of childNodesOf(el)) if (nodeType(n) === 3) own += getData.call(n) + " ";
    if (!NOT_BLANK.test(own) || !isShown(el)) return;
    this.out.totalWords += wordCount(own);
    if (this.out.textBlocks.length >= AUDIT.blocks || !TEXT_BLOCKS.has(tag)) return;
    const text = visibleWords(el);
    if (text) this.out.textBlocks.push({ text: cut(text, 200), wordCount: wordCount(text) });
  }

  close() {
    this.out.siteId = this.logo ?? this.home;
  }
}

const TEXT_BLOCKS = new Set(["p", "li", "dd", "blockquote", "td", "figcaption", "div", "section", "article"]);
