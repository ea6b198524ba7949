// Where elements stand, asked for a whole list at once: for pictures with marks,
// and for what lies where across frames.

const MAX_LINES = 6; // a link over more lines than these is one box

// union is the rectangle around rectangles.
function union(rects) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const r of rects) {
    left = Math.min(left, r.left);
    top = Math.min(top, r.top);
    right = Math.max(right, r.right);
    bottom = Math.max(bottom, r.bottom);
  }
  return { left, top, right, bottom };
}

// seenBoxes are the rectangles by which a person knows el: its own, one for each
// line of what is part of a line; for a control without a size, which styled
// ones are, those of its label.
function seenBoxes(el) {
  let rects = boxesOf(el);
  const own = rects.length ? union(rects) : null;
  if (own === null || (own.right - own.left <= 1 && own.bottom - own.top <= 1)) {
    for (const label of labelsOf(el)) {
      const r = boxesOf(label);
      if (r.length) return [union(r)];
    }
  }
  if (rects.length > MAX_LINES || (rects.length > 1 && styleOf(el).display !== "inline")) return [own];
  return rects;
}

// standing returns the parts of el that show as [x, y, w, h, x, …], in CSS pixels
// of this document's viewport; or why there is nothing: "gone", "changed",
// "none" without a box, "clipped" when what is around it has been scrolled away
// from it. What is outside the viewport counts, except with inside.
function standing(id, role, name, inside) {
  const el = elementOf(id);
  if (!el) return "gone";
  if (role !== undefined && changed(el, role, name)) return "changed";
  const rects = isShown(el) ? seenBoxes(el) : [];
  if (!rects.length) return "none";
  const out = [];
  const clip = clipOf(el, inside ? viewport() : EVERYWHERE);
  if (clip === null) return "clipped";
  for (const r of rects) {
    const part = intersect(r, clip);
    if (part !== null) out.push(part.left, part.top, part.right - part.left, part.bottom - part.top);
  }
  return out.length ? out : "clipped";
}

const EVERYWHERE = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

// browse.layout tells of this document
//   view    the width and height of its viewport; how far it is from the left and
//           the upper end of the page, which scrollX is not where text runs from
//           right to left; then left, top, width and height of the part of it
//           that shows when it is pinched
//   boxes   for each of list, [id] or [id, role, name], what standing returns
//   frames  for each of tokens where the points 0,0 and 1,0 and 0,1 of that
//           frame's viewport are, then the size that it has here; null: not here
browse.layout = (list, tokens, inside) => withMemo(() => {
  const v = visualViewport, root = rootScroller(), is = root ? placeIn(root) : { x: 0, y: 0, minX: 0, minY: 0 };
  return {
    view: [innerWidth, innerHeight, is.x - is.minX, is.y - is.minY, v.offsetLeft, v.offsetTop, v.width, v.height],
    boxes: list.map(([id, role, name]) => standing(id, role, name, inside)),
    frames: tokens.map((token) => {
      const el = frameOf(token);
      return el && isShown(el) ? [...[[0, 0], [1, 0], [0, 1]].flatMap(([x, y]) => outward(el, x, y, 0, 0)), ...contentSize(el)] : null;
    }),
  };
});
