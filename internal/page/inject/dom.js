// The document as everything else here sees it: flat-tree traversal, element
// ids, visibility, focus.
//
// The page cannot reach this world, but it can shadow properties of nodes that
// both worlds share: a form's controls and a document's named elements come
// before the prototype (HTML "named access", [LegacyOverrideBuiltIns]), in
// every world. <form><input name=parentNode> must not lead the walk astray, so
// whatever may be called on a form or a document goes through an accessor that
// is taken from the prototype here, once.

const getterOf = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;

const getNodeType = getterOf(Node, "nodeType");
const getParentNode = getterOf(Node, "parentNode");
const getFirstChild = getterOf(Node, "firstChild");
const getNextSibling = getterOf(Node, "nextSibling");
const getIsConnected = getterOf(Node, "isConnected");
const getTextContent = getterOf(Node, "textContent");
const setTextContent = Object.getOwnPropertyDescriptor(Node.prototype, "textContent").set;
const getData = getterOf(CharacterData, "data");
const getLocalName = getterOf(Element, "localName");
const getNamespace = getterOf(Element, "namespaceURI");
const getShadowRoot = getterOf(Element, "shadowRoot");
const getFirstElement = getterOf(Element, "firstElementChild");
const getLastElement = getterOf(Element, "lastElementChild");
const getFragmentFirstElement = getterOf(DocumentFragment, "firstElementChild");
const getNextElement = getterOf(Element, "nextElementSibling");
const getPreviousElement = getterOf(Element, "previousElementSibling");
const getElementSlot = getterOf(Element, "assignedSlot");
const getTextSlot = getterOf(Text, "assignedSlot");
const getInnerHTML = getterOf(Element, "innerHTML");
const getOuterHTML = getterOf(Element, "outerHTML");
const getInnerText = getterOf(HTMLElement, "innerText");
const getClientWidth = getterOf(Element, "clientWidth");
const getClientHeight = getterOf(Element, "clientHeight");
const getScrollWidth = getterOf(Element, "scrollWidth");
const getScrollHeight = getterOf(Element, "scrollHeight");
const getTabIndex = getterOf(HTMLElement, "tabIndex");
const getSVGTabIndex = getterOf(SVGElement, "tabIndex");
const getIsContentEditable = getterOf(HTMLElement, "isContentEditable");
const getDocumentElement = getterOf(Document, "documentElement");
const getActiveElement = getterOf(Document, "activeElement");
const getRootActiveElement = getterOf(ShadowRoot, "activeElement");
const getFullscreenElement = getterOf(Document, "fullscreenElement");
const getImplementation = getterOf(Document, "implementation");
const getTitle = getterOf(Document, "title");
const getURL = getterOf(Document, "URL");
const getStyleSheets = getterOf(Document, "styleSheets");
const getRootStyleSheets = getterOf(ShadowRoot, "styleSheets");
const getAdoptedSheets = getterOf(Document, "adoptedStyleSheets");
const getRootAdoptedSheets = getterOf(ShadowRoot, "adoptedStyleSheets");
const getFrameWindow = getterOf(HTMLFrameElement, "contentWindow");
const getIFrameWindow = getterOf(HTMLIFrameElement, "contentWindow");
const getIFrameDocument = getterOf(HTMLIFrameElement, "contentDocument");
const elementGetAttribute = Element.prototype.getAttribute;
const elementHasAttribute = Element.prototype.hasAttribute;
const elementHasAttributes = Element.prototype.hasAttributes;
const elementAttributeNames = Element.prototype.getAttributeNames;
const elementMatches = Element.prototype.matches;
const elementQuery = Element.prototype.querySelectorAll;
const elementsByTag = Element.prototype.getElementsByTagName;
const elementCheckVisibility = Element.prototype.checkVisibility;
const elementClientRects = Element.prototype.getClientRects;
const elementBox = Element.prototype.getBoundingClientRect;
const fragmentQuery = DocumentFragment.prototype.querySelectorAll;
const fragmentQueryOne = DocumentFragment.prototype.querySelector;
const fragmentById = DocumentFragment.prototype.getElementById;
const documentQuery = Document.prototype.querySelectorAll;
const documentQueryOne = Document.prototype.querySelector;
const documentById = Document.prototype.getElementById;
const elementScrollIntoView = Element.prototype.scrollIntoView;
const newRange = Document.prototype.createRange;
const documentHitTest = Document.prototype.elementFromPoint;
const nodeRoot = Node.prototype.getRootNode;
const nodeContains = Node.prototype.contains;
const slotAssigned = HTMLSlotElement.prototype.assignedNodes;

const nodeType = (n) => getNodeType.call(n);
const parentNode = (n) => getParentNode.call(n);
const firstChild = (n) => getFirstChild.call(n);
const nextSibling = (n) => getNextSibling.call(n);
const textContent = (n) => getTextContent.call(n);
const localName = (el) => getLocalName.call(el);
const nextElement = (el) => getNextElement.call(el);
const previousElement = (el) => getPreviousElement.call(el);
const attr = (el, name) => elementGetAttribute.call(el, name);
const hasAttr = (el, name) => elementHasAttribute.call(el, name);
const matches = (el, selector) => elementMatches.call(el, selector);
const isElement = (n) => getNodeType.call(n) === 1;
const isHTML = (el) => getNamespace.call(el) === "http://www.w3.org/1999/xhtml";
const isSVG = (el) => getNamespace.call(el) === "http://www.w3.org/2000/svg";

// firstElement of an element or a shadow root.
const firstElement = (n) => (getNodeType.call(n) === 1 ? getFirstElement : getFragmentFirstElement).call(n);

// queryAll runs a selector in one tree: a document, a shadow root, an element.
function queryAll(root, selector) {
  const type = nodeType(root);
  return (type === 1 ? elementQuery : type === 9 ? documentQuery : fragmentQuery).call(root, selector);
}

// queryOne is queryAll for a document or a shadow root, where one match will do.
const queryOne = (root, selector) => (nodeType(root) === 9 ? documentQueryOne : fragmentQueryOne).call(root, selector);

// byId resolves an IDREF in the tree that n is in.
function byId(n, id) {
  const root = nodeRoot.call(n), type = nodeType(root);
  if (type === 9) return documentById.call(root, id);
  return type === 11 ? fragmentById.call(root, id) : null;
}

// ---- element ids

const idByElement = new WeakMap();
const elementById = [null];

// idOf returns the number by which the daemon knows el: at least 1, the same
// for the life of the document, never given to another element.
function idOf(el) {
  let id = idByElement.get(el);
  if (id === undefined) {
    id = elementById.push(new WeakRef(el)) - 1;
    idByElement.set(el, id);
  }
  return id;
}

// elementOf returns the element with the id, null when it is gone or out of
// the document.
function elementOf(id) {
  const el = elementById[id]?.deref();
  return el && getIsConnected.call(el) ? el : null;
}

// targetOf is elementOf for a command's root: 0 is the whole document, for
// which it returns null where there is no element at all, and {id, role,
// name} one that must be what it was shown as. One that is not is thrown as the
// JSON text of what askedOf says.
function targetOf(target) {
  if (!target) return getDocumentElement.call(document);
  const got = typeof target === "number" ? askedOf(target) : askedOf(target.id, target);
  if (!got.el) throw JSON.stringify(got);
  return got.el;
}

// ---- flat tree

const closedRoots = new WeakMap();
let knowsClosedRoots = false;

// bindClosed makes a closed shadow root known; only the daemon can find one.
browse.bindClosed = (host, root) => {
  closedRoots.set(host, root);
  inVain.set(localName(host), -Infinity);
  knowsClosedRoots = foundShadow = true;
};

// knowsShadow says whether shadowOf has found a root in this document so far.
let foundShadow = false;
const knowsShadow = () => foundShadow;

// shadowOf returns the open or known closed shadow root of el, or null.
function shadowOf(el) {
  const root = getShadowRoot.call(el);
  if (root) {
    foundShadow = true;
    return root;
  }
  return knowsClosedRoots ? closedRoots.get(el) ?? null : null;
}

const isSlot = (el) => localName(el) === "slot" && isHTML(el);

// slotOf returns the slot that shows the node, also one in a known closed root.
function slotOf(n) {
  const type = nodeType(n);
  const slot = type === 1 ? getElementSlot.call(n) : type === 3 ? getTextSlot.call(n) : null;
  if (slot || !knowsClosedRoots) return slot;
  const parent = parentNode(n);
  const root = parent && isElement(parent) && closedRoots.get(parent);
  if (!root) return null;
  for (const s of queryAll(root, "slot")) if (slotAssigned.call(s).includes(n)) return s;
  return null;
}

// parentOf returns the flat-tree parent element. A child of a shadow host that
// no slot shows has the host for its parent.
function parentOf(n) {
  const p = getParentNode.call(n);
  if (!p) return null;
  const type = getNodeType.call(p);
  if (type === 11) return p.host ?? null;
  if (type !== 1) return null;
  return shadowOf(p) ? slotOf(n) ?? p : p;
}

// flatChildren returns what stands in for the children of el in the flat tree:
// a node whose DOM children they are, or an array of assigned nodes.
function flatChildren(el) {
  const root = shadowOf(el);
  if (root) return root;
  if (isSlot(el)) {
    const nodes = slotAssigned.call(el);
    if (nodes.length) return nodes;
  }
  return el;
}

// childNodesOf returns the flat-tree child nodes of el.
function childNodesOf(el) {
  const from = flatChildren(el);
  if (Array.isArray(from)) return from;
  const out = [];
  for (let c = firstChild(from); c; c = nextSibling(c)) out.push(c);
  return out;
}

// childrenOf returns the flat-tree child elements of el.
const childrenOf = (el) => childNodesOf(el).filter(isElement);

// containsFlat reports whether el is inside (or is) ancestor in the flat tree.
function containsFlat(ancestor, el) {
  for (; el; el = parentOf(el)) if (el === ancestor) return true;
  return false;
}

// rootsUnder iterates every open shadow root and every known closed one of the
// document, outer ones first.
function* rootsUnder(within = document) {
  const trees = [within];
  while (trees.length) {
    const tree = trees.pop();
    for (const el of queryAll(tree, "*")) {
      const root = shadowOf(el);
      if (root) {
        yield root;
        trees.push(root);
      }
    }
  }
}

// ---- frames

const frameTokens = new WeakMap();

// bindFrame remembers which frame an iframe, frame, object or embed shows.
browse.bindFrame = (el, token) => { frameTokens.set(el, String(token)); };

const FRAME_TAGS = new Set(["iframe", "frame", "fencedframe"]);
const EMBED_TAGS = new Set(["object", "embed"]);

// isFrame reports whether el shows a document of its own.
function isFrame(el, tag = localName(el)) {
  return isHTML(el) && (FRAME_TAGS.has(tag) || (EMBED_TAGS.has(tag) && frameTokens.has(el)));
}

// loadingOf says of an element that shows a document what keeps it from doing so:
// "not loaded" for a frame that the browser does not make, as it does not beyond
// a number per page (Chromium: 1000), "not loaded yet" for one that waits until
// it is scrolled to, "" for all others.
function loadingOf(el, tag = localName(el)) {
  if (tag !== "iframe") return tag === "frame" && getFrameWindow.call(el) === null ? "not loaded" : "";
  if (getIFrameWindow.call(el) === null) return "not loaded";
  if (attr(el, "loading")?.toLowerCase() !== "lazy" || !attr(el, "src")) return "";
  const inner = getIFrameDocument.call(el);
  return inner !== null && getURL.call(inner) === "about:blank" ? "not loaded yet" : "";
}

// isTiny: a frame of a pixel, which is there to count visits.
const isTiny = (el) => el.clientWidth <= 1 || el.clientHeight <= 1;

// ---- style and visibility

const styleOf = (el) => getComputedStyle(el);
const WITH_VISIBILITY = { visibilityProperty: true };

// isRendered reports whether el takes part in rendering: not display:none, not
// in a closed <details>, hidden=until-found or content-visibility:hidden.
function isRendered(el) {
  while (!elementCheckVisibility.call(el)) {
    if (styleOf(el).display !== "contents") return false;
    el = parentOf(el);
    if (!el) return false;
  }
  return true;
}

// isShown is isRendered and visibility:visible.
function isShown(el) {
  if (elementCheckVisibility.call(el, WITH_VISIBILITY)) return true;
  return isRendered(el) && styleOf(el).visibility === "visible";
}

// hidesContent reports whether the content of el, but not its box, is skipped.
function hidesContent(el) {
  const tag = localName(el);
  if (tag === "details") return isHTML(el) && !hasAttr(el, "open");
  if (attr(el, "hidden") === "until-found") return true;
  return css.contentVisibility && styleOf(el).contentVisibility === "hidden";
}

const hasArea = (r) => r.width > 0 && r.height > 0;

// isVisible reports whether a person can see el somewhere on the page, scrolled
// to or not: it is shown and it, or something that overflows it, has a box.
function isVisible(el) {
  if (localName(el) === "area") {
    const img = imageOfArea(el);
    return !!img && isVisible(img);
  }
  if (!isShown(el)) return false;
  const todo = [el];
  for (let budget = 200; todo.length && budget > 0; budget--) {
    const e = todo.pop();
    for (const r of elementClientRects.call(e)) if (hasArea(r)) return true;
    const style = styleOf(e);
    if (style.display !== "contents" && style.overflow !== "visible") continue;
    for (const n of childNodesOf(e)) {
      if (isElement(n)) {
        if (isShown(n)) todo.push(n);
      } else if (nodeType(n) === 3 && textHasArea(n)) return true;
    }
  }
  return false;
}

function textHasArea(text) {
  const range = newRange.call(document);
  range.selectNodeContents(text);
  for (const r of range.getClientRects()) if (hasArea(r)) return true;
  return false;
}

// imageOfArea returns the first image that uses the map of an <area>.
function imageOfArea(area) {
  let map = parentOf(area);
  while (map && localName(map) !== "map") map = parentOf(map);
  const names = map ? [attr(map, "name"), attr(map, "id")] : [];
  for (const img of map ? queryAll(nodeRoot.call(area), "img[usemap]") : []) {
    const use = attr(img, "usemap");
    if (use[0] === "#" && names.includes(use.slice(1))) return img;
  }
  return null;
}

// ---- hidden from the accessibility tree

const isTrue = (v) => v !== null && v.length === 4 && v.toLowerCase() === "true";

// ariaHides reports whether aria-hidden on el takes effect. It does not on the
// root, the body and an option; nor around the focus (WAI-ARIA 1.2 aria-hidden,
// which browsers repair).
function ariaHides(el, focused = deepFocus()) {
  if (!isTrue(attr(el, "aria-hidden"))) return false;
  const tag = localName(el);
  if (tag === "html" || tag === "body" || tag === "option") return false;
  return !focused || !containsFlat(el, focused);
}

// deepFocus returns the focused element, through shadow roots; null when the
// focus is on nothing in particular.
function deepFocus() {
  let el = getActiveElement.call(document);
  if (!el || el === getDocumentElement.call(document)) return null;
  for (let root; (root = shadowOf(el)); ) {
    const inner = getRootActiveElement.call(root);
    if (!inner) break;
    el = inner;
  }
  return localName(el) === "body" ? null : el;
}

// modalRoot returns the element outside of which everything is inert: the
// modal dialog on top, else the fullscreen element, else null.
function modalRoot() {
  const found = [...queryAll(document, "dialog:modal")];
  for (const root of rootsWithDialogs()) found.push(...queryAll(root, "dialog:modal"));
  if (found.length === 1) return found[0];
  for (const dialog of found) {
    // Only the top one of several is not inert, and only it can be hit.
    const box = elementBox.call(dialog);
    let hit = documentHitTest.call(document, box.x + box.width / 2, box.y + box.height / 2);
    for (let root; hit && (root = shadowOf(hit)); ) {
      const inner = root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    if (hit && containsFlat(dialog, hit)) return dialog;
  }
  if (found.length) return found[found.length - 1];
  return getFullscreenElement.call(document);
}

// rootsWithDialogs yields the shadow roots around the focus. showModal moves the
// focus into the dialog, so that is where one can be; looking through every root
// of a large page would cost more than the rest of its snapshot.
function* rootsWithDialogs() {
  const focused = deepFocus();
  for (let n = focused; n; ) {
    const root = nodeRoot.call(n);
    if (nodeType(root) !== 11) return;
    yield root;
    n = root.host;
  }
}

// isInert reports whether el takes no input and is not in the accessibility
// tree: the inert attribute, interactivity:inert, a modal dialog elsewhere.
function isInert(el) {
  if (styleOf(el).interactivity === "inert") return true;
  const modal = memoized("modal", document, modalRoot);
  return !!modal && !containsFlat(modal, el);
}

// isHiddenFromTree reports whether el is excluded from the accessibility tree.
function isHiddenFromTree(el) {
  if (localName(el) === "area") {
    const img = imageOfArea(el);
    return !img || isHiddenFromTree(img);
  }
  if ((localName(el) === "option" || localName(el) === "optgroup") && isHTML(el)) {
    const select = el.closest("select");
    if (select) return styleOf(el).display === "none" || isHiddenFromTree(select);
  }
  if (!isShown(el)) return true;
  const focused = deepFocus();
  for (let e = el; e; e = parentOf(e)) if (ariaHides(e, focused)) return true;
  return isInert(el);
}

// ---- enabled, editable, focusable

// disabledBy says why el takes no input, "" when it does.
function disabledBy(el) {
  if (isHTML(el) && matches(el, ":disabled")) {
    if (hasAttr(el, "disabled")) return "disabled";
    return localName(el) === "option" ? "in a disabled group" : "in a disabled fieldset";
  }
  if (styleOf(el).interactivity === "inert") return "inert";
  for (let e = el; e; e = parentOf(e)) {
    const v = attr(e, "aria-disabled");
    if (isTrue(v)) return e === el ? "aria-disabled" : isFocusable(el) ? "in an aria-disabled group" : "";
    if (v !== null && v.toLowerCase() === "false") break;
  }
  return "";
}

// isDisabled reports whether el is disabled: natively, by a fieldset, by inert,
// by aria-disabled. disabledBy says which.
const isDisabled = (el) => disabledBy(el) !== "";

const TEXT_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", "date", "datetime-local", "month", "week", "time", "color"]);

// isTextInput reports whether el is a field whose value is text that can be set.
function isTextInput(el) {
  if (!isHTML(el)) return false;
  const tag = localName(el);
  return tag === "textarea" || (tag === "input" && TEXT_TYPES.has(el.type));
}

// isEditingHost reports whether el starts an editable region.
function isEditingHost(el) {
  const v = attr(el, "contenteditable");
  if (v === null || !isHTML(el)) return false;
  const kind = v.toLowerCase();
  return kind === "" || kind === "true" || kind === "plaintext-only";
}

// isEditable reports whether text can be typed into el: a text field or an
// editable region, and not read-only. Whether it is disabled is not asked.
function isEditable(el) {
  if (isTrue(attr(el, "aria-readonly")) && !isEditingHost(el)) return false;
  if (isTextInput(el)) return !el.readOnly;
  return isHTML(el) && getIsContentEditable.call(el);
}

// isFocusable reports whether el can take the focus at all, by script or by key.
function isFocusable(el) {
  const html = isHTML(el);
  if (html && matches(el, ":disabled")) return false;
  if (hasAttr(el, "tabindex") && /^\s*[-+]?\d/.test(attr(el, "tabindex"))) return true;
  if (isEditingHost(el)) return true;
  return tabIndexOf(el) >= 0;
}

// tabIndexOf returns the tabIndex that applies, -1 for what no key reaches.
function tabIndexOf(el) {
  if (isHTML(el)) return getTabIndex.call(el);
  if (!isSVG(el)) return -1;
  if (localName(el) === "a" && !hasAttr(el, "tabindex")) return hasAttr(el, "href") || hasAttr(el, "xlink:href") ? 0 : -1;
  return getSVGTabIndex.call(el);
}

// ---- description

// describe returns el as a short tag, `<div id="overlay" class="a b">`, of at
// most 80 characters.
function describe(el) {
  let s = "<" + localName(el);
  for (const name of ["id", "class", "name", "type", "role", "aria-label", "href"]) {
    const v = attr(el, name);
    if (!v) continue;
    const next = ` ${name}="${tidy(v.replace(/"/g, "'"))}"`;
    if (s.length + next.length > 79) {
      if (name !== "id" && name !== "class") continue;
      return s + next.slice(0, 77 - s.length) + "…>";
    }
    s += next;
  }
  return s + ">";
}
