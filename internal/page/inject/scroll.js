// Scrolling: what scrolls, by how much, and whether it did.

// See dom.js for why methods are taken from prototypes.
const elementScrollTo = Element.prototype.scrollTo;
const getScrollTop = getterOf(Element, "scrollTop");
const getScrollLeft = getterOf(Element, "scrollLeft");

const rootScroller = () => getScrollingElement.call(document) || getDocumentElement.call(document);

const overOf = (el, axis) => (axis === "x"
  ? getScrollWidth.call(el) - getClientWidth.call(el)
  : getScrollHeight.call(el) - getClientHeight.call(el));

// canScroll reports whether a person could scroll el along an axis.
function canScroll(el, axis) {
  if (overOf(el, axis) < 1) return false;
  const prop = axis === "x" ? "overflowX" : "overflowY";
  if (el !== rootScroller()) return /^(auto|scroll|overlay)$/.test(styleOf(el)[prop]);
  // What the root or, if that says nothing, the body says goes for the viewport.
  const root = getDocumentElement.call(document), body = getBody.call(document);
  const own = styleOf(root)[prop];
  const said = own === "visible" && body ? styleOf(body)[prop] : own;
  return said !== "hidden" && said !== "clip";
}

// scrollerOf returns the nearest thing around el, el included, that scrolls.
function scrollerOf(el, axis) {
  for (let n = el; n; n = parentOf(n)) if (canScroll(n, axis)) return n;
  const root = rootScroller();
  return canScroll(root, axis) ? root : null;
}

// mainScroller returns what a reader of the page scrolls: the page, or else the
// scroller that takes the most of the viewport.
function mainScroller(axis) {
  const root = rootScroller();
  if (canScroll(root, axis)) return root;
  let best = null, most = 0;
  for (const el of findAll(null, "*")) {
    if (overOf(el, axis) < 1 || !canScroll(el, axis) || !isVisible(el)) continue;
    const part = intersect(boxOf(el), viewport());
    if (part && sizeOf(part) > most) [best, most] = [el, sizeOf(part)];
  }
  return best;
}

// placeIn tells how far el is scrolled, and how far it can be: `from` and `to`
// of an axis are its ends, the left one below zero in text from right to left.
function placeIn(el) {
  const root = el === rootScroller();
  // The body's writing mode is the page's (CSS Writing Modes 4, 8).
  const cs = styleOf((root && getBody.call(document)) || el), dx = overOf(el, "x"), dy = overOf(el, "y");
  const flex = !root && cs.display.includes("flex") ? cs.flexDirection : "", mode = cs.writingMode;
  const flat = mode === "horizontal-tb", rtl = cs.direction === "rtl";
  const left = (flat ? rtl : mode.endsWith("-rl")) || flex === "row-reverse";
  const up = (!flat && rtl !== (mode === "sideways-lr")) || flex === "column-reverse";
  return {
    x: getScrollLeft.call(el), y: getScrollTop.call(el),
    minX: left ? -dx : 0, maxX: left ? 0 : dx, minY: up ? -dy : 0, maxY: up ? 0 : dy,
    width: getClientWidth.call(el), height: getClientHeight.call(el),
  };
}

// browse.scroll moves a scroller: the nearest one of the element id, or for 0
// the main one of the document.
//   o.dx, o.dy  CSS pixels, or lengths of what is in view when o.pages
//   o.to        "top", "bottom", "left" or "right": all the way
//   o.shown     as for browse.ready
// Result: {why, …} as of browse.ready, {none: true} when nothing scrolls, or
// where the scroller is after the page has had its turn: {x, y, minX, …, wasX,
// wasY, end, by} with by null for the page itself.
browse.scroll = async (id, o) => {
  const el = id ? elementOf(id) : null;
  if (id && !el) return { why: "gone" };
  const other = el && o.shown && changed(el, o.shown.role, o.shown.name);
  if (other) return other;
  const across = o.to ? /^(left|right)$/.test(o.to) : !o.dy && !!o.dx;
  const at = el ? scrollerOf(el, across ? "x" : "y") : mainScroller(across ? "x" : "y");
  if (!at) return { none: true, area: innerWidth * innerHeight };
  const was = placeIn(at);
  const by = { x: (o.dx || 0) * (o.pages ? was.width : 1), y: (o.dy || 0) * (o.pages ? was.height : 1) };
  const goal = { left: was.x + by.x, top: was.y + by.y };
  if (o.to === "top") goal.top = was.minY;
  if (o.to === "bottom") goal.top = was.maxY;
  if (o.to === "left") goal.left = was.minX;
  if (o.to === "right") goal.left = was.maxX;
  elementScrollTo.call(at, { ...goal, behavior: "instant" });
  await nextFrame();
  await nextFrame(); // observers of what comes into view report one frame later
  await later();
  const is = placeIn(at);
  const dx = Math.sign(goal.left - was.x), dy = Math.sign(goal.top - was.y);
  const ends = (d, v, min, max) => d === 0 || (d > 0 ? v >= max - 1 : v <= min + 1);
  const begun = (d, v, min, max) => d === 0 || (d > 0 ? v >= Math.floor(max) : v <= Math.ceil(min));
  return {
    ...is, wasX: was.x, wasY: was.y,
    start: (o.to && !dx && !dy) || (begun(dx, was.x, was.minX, was.maxX) && begun(dy, was.y, was.minY, was.maxY)),
    end: ends(dx, is.x, is.minX, is.maxX) && ends(dy, is.y, is.minY, is.maxY),
    scroller: idOf(at),
    by: at === rootScroller() ? null : { id: idOf(at), role: roleOf(at), name: nameOf(at), desc: describe(at) },
  };
};

// browse.grown waits, at most ms, until the scroller id can be scrolled further
// than a place that browse.scroll has told; it reports whether it can.
browse.grown = async (id, was, ms) => {
  const end = performance.now() + ms;
  for (let pause = 20; ; pause = Math.min(pause * 2, 100)) {
    const el = elementOf(id);
    if (!el) return true; // the list has been made anew
    const is = placeIn(el);
    if (is.maxY > was.maxY + 1 || is.maxX > was.maxX + 1 || is.minX < was.minX - 1 || is.minY < was.minY - 1) return true;
    const left = end - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
  }
};

// browse.rolled tells where the scroller is that a wheel at a point turns: that of
// the element id, or for 0 of what lies at the point. With rest it first waits
// until the browser has scrolled to the end of what the wheel asked for.
browse.rolled = async (id, across, x, y, rest) => {
  const el = id ? elementOf(id) : elementAt(x, y);
  const at = el && scrollerOf(el, across ? "x" : "y");
  if (!at) return { none: true };
  for (let still = 0, frames = 0; rest && still < 3 && frames < 60; frames++) {
    const was = placeIn(at);
    await nextFrame();
    const is = placeIn(at);
    still = is.x === was.x && is.y === was.y ? still + 1 : 0;
  }
  return placeIn(at);
};

// browse.under names what lies at a point of the viewport.
browse.under = (x, y) => {
  const hit = elementAt(x, y);
  return hit ? { id: idOf(hit), role: roleOf(hit), name: nameOf(hit), desc: describe(hit) } : null;
};
