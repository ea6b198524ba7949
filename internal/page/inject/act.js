// Acting: whether an element can be acted on now, at which point, and whether
// the input that was sent has reached it.
//
// An action is three steps. browse.ready checks the element, finds a point that
// belongs to it and arms the guard. The daemon then sends real input. The guard
// looks at each event before any script of the page does and lets it pass only
// if it is for the armed element; so a page that moves or covers the element in
// between costs a retry, never a click on something else. browse.finish disarms
// the guard and reports what arrived.

// See dom.js for why methods are taken from prototypes.
const documentAnimations = Document.prototype.getAnimations;
const rootAnimations = ShadowRoot.prototype.getAnimations;
const rootHitTest = ShadowRoot.prototype.elementFromPoint;
const getScrollingElement = getterOf(Document, "scrollingElement");
const elementScrollBy = Element.prototype.scrollBy;

const boxOf = (el) => elementBox.call(el);

// ---- boxes

// boxesOf returns the rectangles that an element is painted in, in viewport
// coordinates: one per line for wrapped inline content.
function boxesOf(el) {
  if (el instanceof HTMLAreaElement) return areaBoxes(el);
  let rects = elementClientRects.call(el);
  if (!rects.length && styleOf(el).display === "contents") {
    const range = new Range();
    range.selectNodeContents(el);
    rects = range.getClientRects();
  }
  const own = [...rects].filter(hasArea);
  // A link without a size of its own around a picture is as large as that.
  return own.length ? own : childrenOf(el).slice(0, 20).flatMap((c) => (isShown(c) ? boxesOf(c) : []));
}

// areaBoxes returns the rectangle around an image map's area.
function areaBoxes(area) {
  const img = imageOfArea(area);
  if (!img) return [];
  const at = boxOf(img);
  const n = area.coords.split(/[\s,;]+/).map(Number).filter(Number.isFinite);
  const box = (x0, y0, x1, y1) => [new DOMRect(at.left + x0, at.top + y0, x1 - x0, y1 - y0)];
  if (area.shape === "circle" && n.length >= 3) return box(n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]);
  if (area.shape === "default" || n.length < 4) return box(0, 0, at.width, at.height);
  const xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2 === 1);
  return box(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
}

const viewport = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

function intersect(a, b) {
  const r = { left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) };
  return r.right - r.left > 0.5 && r.bottom - r.top > 0.5 ? r : null;
}

const sizeOf = (r) => (r.right - r.left) * (r.bottom - r.top);

// clipOf returns the part of an area, the viewport if nothing else is said, that
// el's scrolling and clipping ancestors leave to it, null when nothing is left.
function clipOf(el, area = viewport()) {
  let clip = area;
  let out = styleOf(el).position;
  const root = getDocumentElement.call(document), body = getBody.call(document);
  for (let n = parentOf(el); n && clip; n = parentOf(n)) {
    if (n === root || n === body) continue;
    const cs = styleOf(n);
    // A positioned descendant is clipped by its containing block and up.
    const contains = cs.position !== "static" || cs.transform !== "none" || cs.filter !== "none" || cs.contain !== "none";
    if (out === "fixed" && cs.transform === "none" && cs.filter === "none" && cs.contain === "none") continue;
    if (out === "absolute" && !contains) continue;
    if (cs.overflowX !== "visible" || cs.overflowY !== "visible") clip = intersect(clip, boxOf(n));
    out = cs.position;
  }
  return clip;
}

// pointsOf yields points of el to aim at, the best first: the middle of its
// largest visible rectangle, the middles of the others, then a grid in the
// largest, for an element that is partly covered.
function* pointsOf(el, clip) {
  const parts = boxesOf(el).map((r) => intersect(r, clip)).filter(Boolean).sort((a, b) => sizeOf(b) - sizeOf(a));
  for (const r of parts.slice(0, 8)) yield [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
  if (el instanceof SVGGeometryElement) yield* strokePoints(el);
  if (!parts.length) return;
  const r = parts[0];
  for (const [fx, fy] of [[0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75],
    [0.08, 0.5], [0.92, 0.5], [0.5, 0.08], [0.5, 0.92], [0.08, 0.08], [0.92, 0.08], [0.08, 0.92], [0.92, 0.92]]) {
    yield [r.left + fx * (r.right - r.left), r.top + fy * (r.bottom - r.top)];
  }
}

// strokePoints yields points on the outline of an SVG shape, whose middle may
// be empty.
function* strokePoints(el) {
  const m = el.getScreenCTM?.();
  if (!m) return;
  const length = el.getTotalLength();
  for (const f of [0.5, 0.25, 0.75]) {
    const p = el.getPointAtLength(length * f).matrixTransform(m);
    yield [p.x, p.y];
  }
}

// ---- hit test

// innermost follows the point from el into the shadow trees that el hosts.
function innermost(el, x, y) {
  for (;;) {
    const root = el && shadowOf(el);
    const inner = root && rootHitTest.call(root, x, y);
    if (!inner || nodeRoot.call(inner) !== root) return el;
    el = inner;
  }
}

const elementAt = (x, y) => innermost(documentHitTest.call(document, x, y), x, y);

// inside reports whether el is outer or in its flat tree.
const inside = (el, outer) => containsFlat(outer, el);

const controls = "a[href],area[href],button,input,select,textarea,summary,option,[contenteditable],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=textbox],[role=combobox],[role=slider],[role=spinbutton]";

function closestFlat(el, css) {
  for (let n = el; n; n = parentOf(n)) if (matches(n, css)) return n;
  return null;
}

// actorOf returns the control that a click on el is for: el itself, or the
// button or link that el is a part of.
const actorOf = (el) => (matches(el, controls) ? el : closestFlat(el, "button,a[href],summary,[role=button],[role=link],[role=tab],[role=option],[role=menuitem]") || el);

// owns reports whether a click on hit is a click on el.
function owns(el, hit) {
  if (!hit) return false;
  if (inside(hit, el) || inside(hit, actorOf(el))) return true;
  const label = closestFlat(hit, "label");
  if (label && label.control && label.control === el) return true;
  const mine = closestFlat(el, "label");
  if (mine && mine.control && mine.control === hit) return true;
  return el instanceof HTMLAreaElement && hit === imageOfArea(el);
}

// foreign reports whether another control lies between hit and el, so that a
// click there would be for that one.
const foreign = (el, hit) => !!between(el, hit);

function between(el, hit) {
  const actor = actorOf(el);
  for (let n = hit; n && n !== el && n !== actor; n = parentOf(n)) {
    if (matches(n, controls)) return closestFlat(el, "label")?.control !== n ? n : null;
  }
  return null;
}

// anothers reports whether a click on hit, which is in el, is for a control in el
// that does something else, as a Delete button in a card that is a link. A link in
// an item of a menu, a tab or an option is what that does itself.
function anothers(el, hit) {
  const actor = actorOf(el);
  if (matches(actor, "label")) return foreign(el, hit);
  if (!matches(actor, "a[href],button,summary,[role=button],[role=link]")) return false;
  const n = between(el, hit);
  return !!n && (matches(actor, "a[href],button,summary") || nameOf(n) !== nameOf(actor));
}

// coverOf names what lies over el at a hit: the outermost element around hit
// that does not contain el.
function coverOf(el, hit) {
  if (!hit) return null;
  let top = hit;
  for (let p = parentOf(top); p && !inside(el, p); p = parentOf(p)) top = p;
  return { id: idOf(top), role: roleOf(top), name: nameOf(top), desc: describe(top) };
}

// aimAt finds a point at which el takes the pointer, without scrolling.
// Result: {x, y} or {why, by}.
function aimAt(el, position) {
  if (position) {
    const r = boxOf(el);
    return judge(el, [[r.left + position.x, r.top + position.y]]);
  }
  const quick = judge(el, firstPoint(el));
  if (!quick.why && !quick.shared) return quick;
  const clip = clipOf(el);
  const rest = clip ? [...pointsOf(el, clip)] : [];
  return rest.length ? judge(el, rest) : quick.why ? { why: "outside" } : quick;
}

function firstPoint(el) {
  const { value } = pointsOf(el, viewport()).next();
  return value ? [value] : [];
}

// judge returns the first point at which a click is for el. A point that lies on
// another control inside el is the last resort, and none at all for a label, which
// is clicked for its own control's sake, or a link or button.
function judge(el, points) {
  let by = null, fallback = null;
  for (const [x, y] of points) {
    const hit = elementAt(x, y);
    if (!owns(el, hit)) by ||= coverOf(el, hit);
    else if (!foreign(el, hit)) return { x, y };
    else if (anothers(el, hit)) by ||= { id: idOf(hit), role: roleOf(hit), name: nameOf(hit), desc: describe(hit) };
    else fallback ||= { x, y, shared: true };
  }
  return fallback || (by ? { why: "covered", by } : { why: "outside" });
}

// ---- standing still

const paintOnly = /^(offset|easing|composite|computedOffset|opacity|visibility|.*[cC]olor|background.*|.*[sS]hadow|outline.*|filter|backdropFilter|fill.*|stroke.*|cursor|mask.*|zIndex|willChange)$/;
const inPlace = /^(transform|translate|rotate|scale|offset\w+|clipPath|perspective.*)$/;

// mayMove reports whether a running animation can move el: one that changes
// geometry on el or around it, or one that changes the layout anywhere.
function mayMove(el) {
  const roots = new Set([document]);
  for (let host = hostOf(el); host; host = hostOf(host)) roots.add(shadowOf(host));
  for (const root of roots) {
    for (const a of (root === document ? documentAnimations : rootAnimations).call(root).slice(0, 300)) {
      if (a.playState !== "running" || !(a.effect instanceof KeyframeEffect)) continue;
      const around = a.effect.target && inside(el, a.effect.target);
      const props = new Set(a.effect.getKeyframes().flatMap((k) => Object.keys(k)));
      for (const p of props) {
        if (!paintOnly.test(p) && (around || !inPlace.test(p))) return true;
      }
    }
  }
  return false;
}

// nextFrame resolves at the next rendering update. Hidden documents have none, so a
// timer stands in.
const nextFrame = () => new Promise((resolve) => {
  requestAnimationFrame(resolve);
  delay(50).then(resolve);
});

// drift returns how far el moves or grows from one frame to the next, over two
// frames, as the largest change of an edge in CSS pixels.
async function drift(el) {
  let most = 0, was = boxOf(el);
  for (let i = 0; i < 2; i++) {
    await nextFrame();
    const is = boxOf(el);
    most = Math.max(most, ...["left", "top", "right", "bottom"].map((k) => Math.abs(is[k] - was[k])));
    was = is;
  }
  return most;
}

// restless reports whether a drift is too much to aim at el. An element that
// never rests, such as a pulsing button, is taken when its middle stays put.
function restless(el, moved, attempt) {
  if (moved <= 1) return false;
  const r = boxOf(el);
  return attempt < 3 || moved > Math.min(r.width, r.height) / 4;
}

// ---- scrolling

const alignments = [
  { block: "center", inline: "center" }, { block: "end", inline: "end" },
  { block: "start", inline: "start" }, { block: "nearest", inline: "nearest" },
];

// bringIn scrolls el into view, aligned differently at each attempt, so that a
// sticky header or footer that covers it in one place leaves it free in another.
function bringIn(el, attempt) {
  let at = (el instanceof HTMLAreaElement && imageOfArea(el)) || el;
  while (at && !elementClientRects.call(at).length) at = childrenOf(at)[0];
  elementScrollIntoView.call(at || el, { ...alignments[attempt % alignments.length], behavior: "instant" });
}

// ---- ready

// ownLabels returns the label elements of a control.
const ownLabels = (el) => (isHTML(el) && !(el instanceof HTMLFormElement) ? [...(el.labels || [])] : []);

// surfaceOf returns what is clicked for el: el, or the label that stands for a
// control that cannot be seen. Null when there is nothing to click.
function surfaceOf(el) {
  if (isVisible(el) && boxesOf(el).length) return el;
  for (const label of ownLabels(el)) if (isVisible(label) && boxesOf(label).length) return label;
  return null;
}

// nameShown compares a name with the one that was shown, which a snapshot may
// have cut. A short name that ends in an ellipsis is one.
function nameShown(shown, now) {
  if (shown === now) return true;
  if (shown.length < MAX_CLICK_NAME - 1 || !shown.endsWith("…")) return false;
  return cut(now, shown.length) === shown || cut(now, shown.length + 1) === shown;
}

// changed returns how el differs from the role and name it was shown with, or
// from the place it was shown in (place.js).
function changed(el, role, name) {
  const nowRole = roleOf(el), now = nameOf(el);
  if (nowRole !== role || !nameShown(name, now)) return { why: "changed", role: nowRole, name: now, desc: describe(el) };
  const other = displaced(el);
  return other && { why: "changed", role: nowRole, name: now, desc: describe(el), moved: true, was: other.was, place: other.now };
}

// browse.check reports whether an element still is what a snapshot showed.
browse.check = (id, role, name) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  return changed(el, role, name) || { ok: true };
};

// unfit returns why el cannot be acted on now, apart from where it lies.
function unfit(el, o) {
  if (o.force) return null;
  if (!surfaceOf(el)) return { why: "hidden" };
  if (o.need === "hover" || o.need === "target" || o.need === "wheel") return null;
  const actor = actorOf(el), control = (el instanceof HTMLLabelElement && el.control) || el;
  const what = disabledBy(el) || (control !== el && disabledBy(control)) || (actor !== el && disabledBy(actor));
  return what ? { why: "disabled", what } : null;
}

// showsDocument: input to such an element goes to the document it shows.
const showsDocument = (el) => isFrame(el) || EMBED_TAGS.has(localName(el));

// browse.ready prepares an action on an element.
//   o.shown {role, name}  refuse unless it still is that
//   o.need  "click", "hover"  find a point and arm the guard
//           "focus", "fill"   focus it; see field.js
//           "tap", "wheel", "drag", "drop"  as "click", for input of that kind
//           "target"          find a point, and arm nothing
//           "scroll"          bring it into view
//   o.named  its name was asked for: the guard stops the press if it changes
//   o.attempt, o.seq, o.still, o.force, o.position
// Result: {x, y} on success, with `state` for a check box and the like, or
// {why, …}: gone, changed, option, hidden, disabled, moving, outside, covered,
// nopointer, offbox, readonly, uneditable, unfocused, badvalue.
browse.ready = (id, o) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const other = o.shown && changed(el, o.shown.role, o.shown.name);
  if (other) return other;
  if (o.need === "fill" || o.need === "focus") return readyField(el, o);
  const list = o.need === "click" && el instanceof HTMLOptionElement && closestFlat(el, "select");
  if (list) return { why: "option", what: labelOf(el), by: { id: idOf(list), role: roleOf(list), name: nameOf(list), desc: describe(list) } };
  const bad = unfit(el, o);
  if (bad) return bad;
  if (o.need === "scroll") {
    const surface = surfaceOf(el);
    if (!surface) return { why: "hidden" };
    bringIn(surface, 0);
    const r = boxOf(surface);
    return { x: (r.left + r.right) / 2, y: (r.top + r.bottom) / 2 };
  }
  if (o.need === "wheel") {
    // A wheel goes by what the browser has been told with the last frame: where
    // things are, and that the guard wants to see it first.
    const at = aim(el, o);
    return at.why ? at : nextFrame().then(nextFrame).then(() => (elementOf(id) === el ? aim(el, o) : { why: "gone" }));
  }
  if (o.force || !(o.still || mayMove(el))) return aim(el, o);
  return drift(surfaceOf(el)).then((moved) => {
    if (elementOf(id) !== el) return { why: "gone" };
    if (!surfaceOf(el)) return { why: "hidden" };
    return restless(surfaceOf(el), moved, o.attempt) ? { why: "moving", by: null } : aim(el, o);
  });
};

// aim finds the point and arms the guard in the same task, so that nothing of
// the page runs in between.
function aim(el, o) {
  const surface = surfaceOf(el) || el;
  const size = boxOf(surface), p = o.position;
  if (p && (p.x < 0 || p.y < 0 || p.x > size.width || p.y > size.height)) {
    return { why: "offbox", what: `${Math.round(size.width)} × ${Math.round(size.height)}`, sample: `${Math.round(size.width / 2)},${Math.round(size.height / 2)}` };
  }
  let at = aimAt(surface, o.position);
  const tries = at.why === "outside" ? 2 : 1;
  for (let i = 0; at.why && i < tries; i++) {
    bringIn(surface, o.attempt + i);
    at = aimAt(surface, o.position);
  }
  if (at.why && surface === el) {
    const label = ownLabels(el).find((l) => isVisible(l) && !aimAt(l).why);
    if (label) at = aimAt(label);
  }
  if (at.why && o.force) at = anyPoint(surface, o.position);
  if (at.why === "covered" && styleOf(surface).pointerEvents === "none") at = { why: "nopointer" };
  if (at.why) return at;
  // Without the checks a drag is still looked at, to take part in the browser's own.
  const looks = !o.force || o.need === "drag" || o.need === "drop";
  if (looks && o.need !== "target" && !showsDocument(el)) {
    arm({ seq: o.seq, mode: o.need, el, count: o.count || 1, named: !o.force && (o.shown || o.named), force: o.force });
  }
  return { x: at.x, y: at.y, shared: at.shared, state: stateOf(el, "checked"), frame: showsDocument(el), width: innerWidth, height: innerHeight, time: Date.now() };
}

// anyPoint is where a forced click goes: the middle, whatever lies there.
function anyPoint(el, position) {
  const r = boxOf(el);
  if (position) return { x: r.left + position.x, y: r.top + position.y };
  const [first] = firstPoint(el);
  if (!first) return { why: surfaceOf(el) ? "outside" : "hidden" };
  return { x: first[0], y: first[1] };
}

// ---- frames

// frameOf returns the element that shows the frame with a token; see bindFrame.
function frameOf(token) {
  const css = "iframe,frame,fencedframe,object,embed";
  for (const el of findAll(null, css)) if (frameTokens.get(el) === token) return el;
  return null;
}

// linear returns the linear part of all transforms on el and around it.
function linear(el) {
  let m = new DOMMatrix();
  for (let n = el; n; n = parentOf(n)) {
    const cs = styleOf(n);
    if (cs.transform === "none" && cs.rotate === "none" && cs.scale === "none") continue;
    let own = new DOMMatrix();
    if (cs.rotate !== "none") own = new DOMMatrix(`rotate(${/^-?[\d.e+-]+deg$/.test(cs.rotate) ? cs.rotate : "0deg"})`);
    if (cs.scale !== "none") {
      const [sx, sy = sx] = cs.scale.split(" ").map(Number);
      own = own.scale(sx, sy);
    }
    if (cs.transform !== "none") own = own.multiply(new DOMMatrix(cs.transform));
    m = own.multiply(m);
  }
  return m;
}

const pixels = (v) => parseFloat(v) || 0;

// contentSize is [width, height] of what is inside the padding of an element.
function contentSize(el, cs = styleOf(el)) {
  return [el.clientWidth - pixels(cs.paddingLeft) - pixels(cs.paddingRight), el.clientHeight - pixels(cs.paddingTop) - pixels(cs.paddingBottom)];
}

// outward maps a point of the document in a frame element to the viewport that
// the element is in. Exact for any affine transform: the middle of the bounding
// box is the image of the middle of the box.
function outward(el, x, y, width, height) {
  const box = boxOf(el), cs = styleOf(el);
  const [innerW, innerH] = contentSize(el, cs);
  const ratio = (a, b) => (b > 0 && Math.abs(a / b - 1) > 0.02 ? a / b : 1); // CSS zoom on the element
  const lx = el.clientLeft + pixels(cs.paddingLeft) + x * ratio(innerW, width) - el.offsetWidth / 2;
  const ly = el.clientTop + pixels(cs.paddingTop) + y * ratio(innerH, height) - el.offsetHeight / 2;
  const m = linear(el);
  const guess = Math.abs(m.a) * el.offsetWidth + Math.abs(m.c) * el.offsetHeight;
  const f = guess > 0 ? box.width / guess : 1; // CSS zoom around it
  return [box.left + box.width / 2 + f * (m.a * lx + m.c * ly), box.top + box.height / 2 + f * (m.b * lx + m.d * ly)];
}

// reveal scrolls everything around a frame element until the point shows.
function reveal(el, point) {
  let scrolled = false;
  const page = getScrollingElement.call(document);
  for (let n = parentOf(el); n; n = parentOf(n)) {
    const root = n === page;
    if (!root && getScrollHeight.call(n) <= getClientHeight.call(n) && getScrollWidth.call(n) <= getClientWidth.call(n)) continue;
    if (!root && styleOf(n).overflow === "visible") continue;
    const r = root ? viewport() : boxOf(n);
    const [x, y] = point();
    if (x > r.left && x < r.right && y > r.top && y < r.bottom) continue;
    elementScrollBy.call(n, { left: x - (r.left + r.right) / 2, top: y - (r.top + r.bottom) / 2, behavior: "instant" });
    scrolled = true;
  }
  return scrolled;
}

// browse.through carries a point of a child frame's document, whose viewport is
// width by height, through the element that shows the frame, scrolls that into
// view, and checks that nothing covers it there. The guard is armed to stop
// whatever reaches this document instead of the frame.
browse.through = (token, x, y, width, height, o) => {
  const el = frameOf(token);
  if (!el) return { why: "unbound" };
  if (!isVisible(el)) return { why: "hidden" };
  const point = () => outward(el, x, y, width, height);
  const scrolled = reveal(el, point);
  const test = () => {
    const [px, py] = point();
    const hit = elementAt(px, py);
    if (!o.force && hit !== el) return hit ? { why: "covered", by: coverOf(el, hit) } : { why: "outside" };
    if (!o.force && !o.bare) arm({ seq: o.seq, mode: "bar", el: null, count: 0 });
    return { x: px, y: py, width: innerWidth, height: innerHeight };
  };
  // The browser process finds a frame's process by the last picture it was
  // sent, so a scrolled one must have been painted.
  return scrolled ? nextFrame().then(nextFrame).then(test) : test();
};

// browse.bar arms the guard of a document that no input is meant for.
browse.bar = (seq) => {
  arm({ seq, mode: "bar", el: null, count: 0 });
};
