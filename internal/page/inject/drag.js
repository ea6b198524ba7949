// Dragging: what the page makes of a drag while it goes on, and what has changed
// after it.

// onDrag records the drag events of the browser while a drag is armed, and stops
// those of a drop of files that are for something else.
function onDrag(e) {
  const a = active(e);
  if (!a || (a.mode !== "drag" && a.mode !== "drop")) return;
  a.seen[e.type] = (a.seen[e.type] || 0) + 1;
  if (e.type === "dragstart") a.started = e;
  if (e.type !== "dragenter" && e.type !== "dragover" && e.type !== "drop") return;
  if (a.mode === "drop") {
    const hit = hitBy(e);
    if (!a.force && !owns(a.el, hit)) {
      a.wrong ||= coverOf(a.el, hit);
      stop(e);
      return;
    }
  }
  if (e.type !== "drop") a.over = e;
}

// browse.dragState tells what has become of the drag with the number seq so far:
// {pressed, started, prevented} of the browser's own drag, {accepted} whether
// what is under it would take the drop, {wrong} what took the press instead.
browse.dragState = (seq) => {
  const a = armed && armed.seq === seq ? armed : null;
  if (!a) return { lost: true };
  return {
    pressed: a.ok === true, wrong: a.wrong, renamed: a.renamed || null,
    started: !!a.started, prevented: !!a.started && a.started.defaultPrevented,
    accepted: !!a.over && a.over.defaultPrevented,
    seen: a.seen,
  };
};

// browse.aimed finds a point of an element without scrolling, and without anything
// in front of it but what `over`, an element that is being dragged, may be.
browse.aimed = (id, position, over) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const at = aimAt(el, position);
  if (!at.why) return { x: at.x, y: at.y, width: innerWidth, height: innerHeight };
  const dragged = over && elementOf(over);
  const r = boxOf(el), part = intersect(r, viewport());
  if (!part) return { why: "outside" };
  const x = position ? r.left + position.x : (part.left + part.right) / 2;
  const y = position ? r.top + position.y : (part.top + part.bottom) / 2;
  const hit = elementAt(x, y);
  if (dragged && hit && inside(hit, dragged)) return { x, y, width: innerWidth, height: innerHeight };
  return at;
};

// trackValue reads what a slider or field holds, "" for anything else.
function trackValue(el) {
  if (el instanceof HTMLInputElement) return el.value;
  const slider = closestFlat(el, "[role=slider],[role=scrollbar],[role=separator][aria-valuenow]") || queryAll(el, "[role=slider],input[type=range]")[0];
  if (!slider) return "";
  return slider instanceof HTMLInputElement ? slider.value : attr(slider, "aria-valuenow") || "";
}

// browse.standing describes where an element stands, to be compared: its place
// on the page, its parent and its number among the children there, its value.
browse.standing = (id) => later().then(() => {
  const el = elementOf(id);
  if (!el) return { gone: true };
  const r = boxOf(el), p = parentOf(el);
  let index = 0;
  for (let n = previousElement(el); n; n = previousElement(n)) index++;
  return {
    x: Math.round(r.left + scrollX), y: Math.round(r.top + scrollY), width: Math.round(r.width), height: Math.round(r.height),
    parent: p ? idOf(p) : 0, by: p ? { id: idOf(p), role: roleOf(p), name: nameOf(p), desc: describe(p) } : null,
    index, value: trackValue(el), count: childrenOf(el).length,
  };
});
