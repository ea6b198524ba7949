// browse.restyle, browse.unstyle, browse.cleanup, browse.hide: changes of how the
// page looks that the user asks for. They are made in the style attribute of
// elements, as important, and each can be taken back; a new document has none.

const ownStyle = (el) => (isHTML(el) ? getHTMLStyle : getSVGStyle).call(el);
const getHTMLStyle = getterOf(HTMLElement, "style");
const getSVGStyle = getterOf(SVGElement, "style");
const setProperty = CSSStyleDeclaration.prototype.setProperty;
const removeProperty = CSSStyleDeclaration.prototype.removeProperty;

// setStyle sets a property and returns what takes that back: [property, value,
// priority] of the style attribute before, and whether there was one.
function setStyle(el, property, value) {
  const style = ownStyle(el), had = hasAttr(el, "style") ? "style" : "";
  const before = [property, style.getPropertyValue(property), style.getPropertyPriority(property), had];
  setProperty.call(style, property, value, "important");
  return before;
}

const removeAttribute = Element.prototype.removeAttribute;

function putStyle(el, [property, value, priority, had]) {
  const style = ownStyle(el);
  if (value === "") removeProperty.call(style, property);
  else setProperty.call(style, property, value, priority);
  if (had === "" && style.length === 0) removeAttribute.call(el, "style");
}

// browse.restyle sets a property of an element: {old, now} are its computed
// values, before is for browse.unstyle. bad says that there is no such property
// or value.
browse.restyle = (id, property, value, shown) => {
  const got = askedOf(id, shown);
  if (!got.el) return got;
  const el = got.el;
  if (!isHTML(el) && !isSVG(el)) return { bad: true };
  if (!property.startsWith("--") && !CSS.supports(property, value)) return { bad: true, known: CSS.supports(property, "inherit") };
  const computed = getComputedStyle(el), old = computed.getPropertyValue(property).trim();
  const before = setStyle(el, property, value);
  return { old, now: computed.getPropertyValue(property).trim(), before };
};

// browse.unstyle puts a property of an element back to what it was.
browse.unstyle = (id, before) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  putStyle(el, before);
  return { why: "", now: getComputedStyle(el).getPropertyValue(before[0]).trim() };
};

// What a cleanup has hidden, so that it can be shown again.
let hiddenNow = [];

function hideElement(el) {
  if (!isHTML(el) && !isSVG(el)) return false;
  if (getComputedStyle(el).display === "none") return false;
  hiddenNow.push([el, setStyle(el, "display", "none")]);
  return true;
}

const AD_PARTS = "ins.adsbygoogle, [id^='google_ads'], [id^='div-gpt-ad'], [data-ad-slot], [data-ad-unit], [data-google-query-id], [class*='ad-container'], [class*='ad-wrapper'], [class*='ad-banner'], [class*='advert'], [id^='ad-'], [id*='-ad-'], [class^='ad-'], [class*=' ad-'], [aria-label='Advertisement' i], [aria-label='Ads' i], iframe[src*='doubleclick.net'], iframe[src*='googlesyndication'], iframe[id^='aswift'], [id^='taboola'], [class*='taboola'], [class*='outbrain'], .OUTBRAIN, [class*='sponsored']";
const COOKIE_PARTS = "#onetrust-consent-sdk, #onetrust-banner-sdk, .onetrust-pc-dark-filter, #CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay, #truste-consent-track, .truste_overlay, .truste_box_overlay, .qc-cmp2-container, .qc-cmp-ui-container, #didomi-host, #usercentrics-root, #sp_message_container, [id^='sp_message_container'], .cc-window, .cc-banner, #cookie-law-info-bar, #cookie-notice, .cookie-notice, [id*='cookie-banner' i], [class*='cookie-banner' i], [id*='cookie-consent' i], [class*='cookie-consent' i], [id*='cookieconsent' i], [class*='cookieconsent' i], [class*='consent-banner' i], [id*='gdpr' i], [class*='gdpr' i], [aria-label*='cookie' i][role='dialog']";
const SOCIAL_PARTS = "[class*='social-share' i], [class*='share-buttons' i], [class*='share-bar' i], [class*='sharing' i], [class*='addthis'], [id*='addthis'], [class*='a2a_kit'], [class*='sharethis'], .fb-like, .fb-share-button, .twitter-share-button, [class*='social-icons' i], [class*='social-links' i]";
const OVERLAY_PARTS = "[class*='paywall' i], [id*='paywall' i], [class*='newsletter-popup' i], [class*='newsletter-modal' i], [class*='subscribe-modal' i], [class*='signup-modal' i], [class*='email-popup' i], [class*='survey' i][class*='modal' i], [class*='app-banner' i], [class*='smart-banner' i], [class*='interstitial' i], [class*='modal-backdrop'], [class*='popup-overlay' i], [id*='popup-overlay' i], .tp-modal, .tp-backdrop, .pn-overlay";
const CLUTTER_PARTS = "[class*='audio-player' i]:not(audio), [class*='listen-to' i], [class*='puzzle' i], [class*='recirc' i], [class*='recommended-stories' i], [class*='related-articles' i], [class*='most-popular' i], [class*='trending' i], [class*='newsletter-signup' i], [class*='promo-box' i]";

const cleanups = { ads: [AD_PARTS, "ads"], cookies: [COOKIE_PARTS, "cookie banners"], social: [SOCIAL_PARTS, "social widgets"], overlays: [OVERLAY_PARTS, "overlays"], clutter: [CLUTTER_PARTS, "clutter"] };

// mainPart reports whether an element holds the content of the page: a selector
// that guesses must not hide that.
function mainPart(el) {
  if (el === getDocumentElement.call(document) || el === document.body || ["main", "article", "body", "html"].includes(localName(el))) return true;
  return queryAll(el, "main, article, h1").length > 0;
}

// browse.cleanup hides what stands in the way of the content: the kinds are those
// of cleanups, and sticky. It returns how many elements of each kind it hid.
browse.cleanup = (kinds) => {
  const found = {};
  for (const kind of kinds) {
    if (kind === "sticky") continue;
    const [selector] = cleanups[kind];
    let n = 0;
    for (const el of queryAll(document, selector)) if (!mainPart(el) && hideElement(el)) n++;
    if (n) found[kind] = n;
  }
  if (kinds.includes("sticky")) {
    const n = hideSticky();
    if (n) found.sticky = n;
  }
  unlockPage();
  return found;
};

// hideSticky hides what stays in place while the page is scrolled, but for
// navigation and the first wide bar at the top.
function hideSticky() {
  let n = 0, bar = false;
  for (const el of queryAll(document, "body *")) {
    if (!isHTML(el)) continue;
    const style = getComputedStyle(el);
    if (style.position !== "fixed" && style.position !== "sticky" || style.display === "none") continue;
    const tag = localName(el), box = elementBox.call(el);
    if (tag === "nav" || tag === "header" || attr(el, "role") === "navigation" || mainPart(el)) continue;
    if (!bar && box.top <= 50 && box.width > innerWidth * 0.8 && box.height < 120 && box.height > 0) {
      bar = true;
      continue;
    }
    if (hideElement(el)) n++;
  }
  return n;
}

// unlockPage lets a page scroll that a banner has locked, and shows what one has
// blurred.
function unlockPage() {
  for (const el of [getDocumentElement.call(document), document.body]) {
    if (!el) continue;
    const style = getComputedStyle(el);
    if (style.overflowY === "hidden") hiddenNow.push([el, setStyle(el, "overflow", "visible")]);
    if (style.position === "fixed") hiddenNow.push([el, setStyle(el, "position", "static")]);
  }
  for (const el of queryAll(document, "body, body > *, main, article, [class*='blur' i]")) {
    if (isHTML(el) && /blur/.test(getComputedStyle(el).filter)) hiddenNow.push([el, setStyle(el, "filter", "none")]);
  }
}

// browse.hide hides all elements of selectors; it returns how many, or the
// selector that is none.
browse.hide = (selectors) => {
  let n = 0;
  for (const selector of selectors) {
    try {
      for (const el of queryAll(document, selector)) if (hideElement(el)) n++;
    } catch {
      return { bad: selector };
    }
  }
  return { n };
};

// browse.unhide takes back what cleanup and hide have done to the document since.
browse.unhide = () => {
  const n = hiddenNow.length;
  for (const [el, before] of hiddenNow.reverse()) putStyle(el, before);
  hiddenNow = [];
  return n;
};

// browse.loadLazy brings the page into view part by part, so that what waits for
// that is loaded, and goes back to where it was. It takes at most ms.
browse.loadLazy = async (ms) => {
  const root = document.scrollingElement ?? getDocumentElement.call(document), x = scrollX, y = scrollY;
  const end = performance.now() + ms;
  for (let at = 0; at < root.scrollHeight && performance.now() < end; at += Math.max(200, innerHeight * 0.8)) {
    scrollTo({ left: x, top: at, behavior: "instant" });
    await delay(50); // a frame, and a little for what begins to load then
  }
  const waits = () => queryAll(document, "img").length && [...queryAll(document, "img")].filter((i) => !i.complete && i.currentSrc !== "");
  while (performance.now() < end && waits().length) await delay(50);
  scrollTo({ left: x, top: y, behavior: "instant" });
  return { left: (waits() || []).length };
};

// browse.scrollToText brings the first text that contains another into view, and
// reports whether there is one.
browse.scrollToText = (text) => {
  const want = text.toLowerCase(), walk = document.createTreeWalker(document.body, 4);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const el = n.parentElement;
    if (!n.data.toLowerCase().includes(want) || !el || !isVisible(el)) continue;
    el.scrollIntoView({ block: "center", behavior: "instant" });
    return true;
  }
  return false;
};
