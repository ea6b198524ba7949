// Closed shadow roots. No script of any world can ask for one; the daemon can
// (CDP DOM.describeNode), at a price per element. So the page says which elements
// are worth the question, and remembers what was asked: a page without closed
// roots pays for one query.

// What attachShadow accepts besides custom elements (DOM, "attach a shadow root").
const HOST_TAGS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

const elementStyleMap = Element.prototype.computedStyleMap;

// How many elements of a document are asked about in all, how many of them on a
// faint suspicion, how many at once, and how many are looked over each time.
const MAX_ASKED = 1000, MAX_FAINT = 48, MAX_ASKED_AT_ONCE = 200, MAX_OVERLOOKED = 300;
// A faint suspicion wants room for something to use.
const MIN_WIDTH = 24, MIN_HEIGHT = 16;

const asked = new WeakMap(); // element → its measures when it was asked about
let askedCount = 0, faintCount = 0;
// The class of a custom element decides whether it has a root, so a few of a kind
// tell for all.
const MAX_IN_VAIN = 8;
const inVain = new Map(); // tag → how often it was asked about, until one has a root
let suspects = []; // found by the last walk, for browse.hosts

const measuresOf = (el) => {
  const r = elementBox.call(el);
  return `${r.width} ${r.height} ${getScrollWidth.call(el)} ${getScrollHeight.call(el)}`;
};

const mayHost = (el) => isHTML(el) && (HOST_TAGS.has(localName(el)) || localName(el).includes("-")) && shadowOf(el) === null;

// suspect adds el to the suspects. An element that was asked about is asked
// again when it has changed its measures: it may have got a root since.
function suspect(el) {
  if (suspects.length >= MAX_ASKED_AT_ONCE || askedCount >= MAX_ASKED || !mayHost(el)) return false;
  const measures = measuresOf(el), tag = localName(el);
  if (asked.get(el) === measures) return false;
  if (tag.includes("-")) {
    const n = inVain.get(tag) ?? 0;
    if (n >= MAX_IN_VAIN) return false;
    inVain.set(tag, n + 1);
  }
  asked.set(el, measures);
  askedCount++;
  suspects.push(el);
  return true;
}

// hostAround returns the element around el that el is not a part of the flat
// tree of: such an element has no style at all.
function hostAround(el) {
  for (let p = parentNode(el); p && isElement(p); p = parentNode(p)) if (styleOf(p).display !== "") return p;
  return null;
}

// isFilled reports whether an element without children has a content that gives
// it its height, or runs over.
function isFilled(el) {
  const height = getClientHeight.call(el);
  if (getScrollHeight.call(el) > height + 1 || getScrollWidth.call(el) > elementBox.call(el).width + 1) return true;
  if (height === 0 || String(elementStyleMap.call(el).get("height")) !== "auto") return false;
  const style = styleOf(el);
  return height > parseFloat(style.paddingTop) + parseFloat(style.paddingBottom) + 1 && !(parseFloat(style.minHeight) > 0);
}

// overlook looks at an element that has no children, or whose children name
// slots. isOuter: it is a child of <body>, as what a script adds to a page is.
function overlook(el, isOuter) {
  if (!mayHost(el) || asked.has(el) && asked.get(el) === measuresOf(el) || !elementCheckVisibility.call(el)) return;
  if (firstElement(el) !== null || isFilled(el)) return void suspect(el);
  const r = elementBox.call(el);
  if (faintCount >= MAX_FAINT || !(isOuter || (r.width >= MIN_WIDTH && r.height >= MIN_HEIGHT))) return;
  if (suspect(el)) faintCount++;
}

// isBare: no child elements and no words.
const isBare = (el) => firstElement(el) === null && !NOT_BLANK.test(textContent(el));

// seekHosts looks through trees, documents and shadow roots, or an element and
// what is below it, and returns how many suspects there are with the custom
// elements and others that the caller has come across.
function seekHosts(trees, met) {
  suspects = [];
  for (const el of met) suspect(el);
  const body = getBody.call(document);
  let n = 0;
  for (const tree of trees) {
    if (askedCount >= MAX_ASKED) break;
    if (tree === document && body) {
      let children = 0;
      for (let el = firstElement(body); el && children++ < MAX_OVERLOOKED; el = nextElement(el)) if (HOST_TAGS.has(localName(el)) && isBare(el)) overlook(el, true);
    }
    // Both are a fraction of what a list of tags would cost.
    for (const el of queryAll(tree, ":empty")) {
      if (!HOST_TAGS.has(localName(el))) continue;
      if (++n > MAX_OVERLOOKED) break;
      overlook(el, false);
    }
    for (const el of queryAll(tree, "[slot]")) {
      const host = getElementSlot.call(el) === null ? parentNode(el) : null;
      if (host !== null && isElement(host)) overlook(host, false);
    }
  }
  return suspects.length;
}

// seekEverywhere is seekHosts for who has not walked through the document.
function seekEverywhere() {
  const trees = [document, ...rootsUnder()], met = [];
  for (const tree of trees) for (const el of queryAll(tree, "*")) if (localName(el).includes("-") && isHTML(el)) met.push(el);
  return seekHosts(trees, met);
}

// seekOnChange is seekEverywhere, but only when the number of elements is not
// what it was the last time.
let countedElements = -1;
function seekOnChange() {
  const n = elementsOf.call(document, "*").length;
  if (n === countedElements) return 0;
  countedElements = n;
  return seekEverywhere();
}
const elementsOf = Document.prototype.getElementsByTagName;

// browse.hosts returns the elements that may have a closed shadow root: those
// that the last walk has met, or with seek all that a look through the document
// finds. Each is returned once.
browse.hosts = (seek = false) => {
  if (seek) seekEverywhere();
  const found = suspects;
  suspects = [];
  return found;
};
