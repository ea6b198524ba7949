// The guard: while an action runs, it looks at each input event before any script
// of the page does and lets it pass only if it is for the element that is armed.
// What is stopped costs a retry, never a click on something else.

// A guard that nobody disarmed lets go by itself.
const guardLimit = 60000;

let armed = null;

// Without a listener that may prevent it, the browser scrolls first and then looks
// what lies under the wheel.
const blockWheel = () => {};
const unlistenOn = EventTarget.prototype.removeEventListener;

function arm(a) {
  listen();
  if (a.mode === "wheel") listenOn.call(window, "wheel", blockWheel, { capture: true, passive: false });
  if (a.mode === "click" || a.mode === "tap" || a.mode === "drag") {
    a.role = roleOf(a.el);
    a.name = nameOf(a.el);
    if (a.named === true) a.named = { role: a.role, name: a.name };
    a.focus = deepFocus();
  }
  armed = { ...a, until: performance.now() + guardLimit, ok: undefined, seen: {}, ups: 0, wrong: null, slipped: null };
}

// stop keeps an event from every script and default action of the page.
function stop(e) {
  e.stopImmediatePropagation();
  e.preventDefault();
}

const active = (e) => {
  if (!armed || !e.isTrusted) return null;
  if (performance.now() > armed.until) armed = null;
  return armed;
};

// hitBy returns the element that a pointer event is for. The path ends at the
// host of a closed shadow root, so the rest of the way is looked up.
function hitBy(e) {
  const at = e.composedPath()[0];
  return at instanceof Element ? innermost(at, e.clientX, e.clientY) : null;
}

// Modes in which a press is none of the guard's business.
const notPressed = new Set(["hover", "text", "wheel", "drop"]);

early.pointer = (e) => {
  const a = active(e);
  if (!a || notPressed.has(a.mode)) return;
  if (e.type === "pointerup" && ++a.ups === a.count && a.mode === "click") complete(a);
  if (a.force) {
    a.ok = true;
    a.seen[e.type] = (a.seen[e.type] || 0) + 1;
    return;
  }
  const begins = e.type === "pointerdown" || (e.type === "mousedown" && a.ok === undefined);
  if (begins) {
    const hit = hitBy(e);
    a.ok = a.mode !== "bar" && owns(a.el, hit) && !anothers(a.el, hit);
    // What the pointer has made something else by coming over it is not pressed.
    if (a.ok && a.named) a.renamed = changed(a.el, a.named.role, a.named.name);
    if (a.renamed) a.ok = false;
    else if (!a.ok) a.wrong ||= a.mode === "bar" ? { id: hit ? idOf(hit) : 0, desc: hit ? describe(hit) : "" } : owns(a.el, hit) ? itemOf(between(a.el, hit)) : coverOf(a.el, hit);
  }
  if (a.ok === false) {
    stop(e);
    return;
  }
  const n = (a.seen[e.type] || 0) + 1;
  if (a.mode !== "drag" && /^(click|auxclick|dblclick|contextmenu)$/.test(e.type) && a.ok) {
    // The browser gives a click whose press and release hit different elements
    // to what they have in common: that is not what was asked for.
    // Captured pointers are another matter: there el is still at the point.
    const hit = hitBy(e);
    if (!owns(a.el, hit) && !owns(a.el, elementAt(e.clientX, e.clientY))) {
      if (e.pointerType === "mouse") {
        a.slipped ||= hit ? describe(hit) : "";
        stop(e);
      }
      return;
    }
    a.seen[e.type] = n;
    tell(a);
    if (a.mode === "tap") complete(a);
    return;
  }
  a.seen[e.type] = n;
  if (e.type === "mouseup" && a.el && !getIsConnected.call(a.el)) a.replaced = isLike(a, elementAt(e.clientX, e.clientY));
};

// onTouch is onPointer for the touch events that follow a pointerdown: what was
// refused there is refused here too.
function onTouch(e) {
  const a = active(e);
  if (!a || a.mode !== "tap") return;
  a.seen[e.type] = (a.seen[e.type] || 0) + 1;
  if (a.ok === false) e.stopImmediatePropagation();
  else a.touches = [...(a.touches || []), e];
}

// browse.tapped waits, at most ms, for the click that a tap becomes, unless the
// page has taken the touch for itself.
browse.tapped = (seq, ms) => {
  const a = armed && armed.seq === seq ? armed : null;
  if (!a || a.complete || a.ok === false || (a.touches || []).some((e) => e.defaultPrevented)) return false;
  return new Promise((resolve) => {
    a.done = () => resolve(true);
    delay(ms).then(() => resolve(false));
  });
};

// onWheel lets the wheel turn over the armed element only.
function onWheel(e) {
  const a = active(e);
  if (!a || a.mode !== "wheel") return;
  const hit = hitBy(e);
  if (!owns(a.el, hit)) {
    a.wrong ||= coverOf(a.el, hit);
    e.stopImmediatePropagation();
    return;
  }
  a.seen.wheel = (a.seen.wheel || 0) + 1;
  a.wheel = e;
}

early.carried = (e) => (e instanceof DragEvent ? onDrag : e instanceof WheelEvent ? onWheel : onTouch)(e);

// isLike reports whether what is now under the pointer stands for an element
// that is gone, as after a framework has rendered a list anew.
function isLike(a, hit) {
  for (let n = hit; n; n = parentOf(n)) if (roleOf(n) === a.role && nameOf(n) === a.name) return a.name !== "";
  return false;
}

// tell reports a click, or the first key, to the daemon, which has put browseTold into this world,
// before the page's own handlers run: they may navigate away.
function tell(a) {
  if (!a.told && Object.hasOwn(globalThis, "browseTold")) globalThis.browseTold(String(a.seq));
  a.told = true;
}

// complete ends the wait of browse.finish in the next task: the events that
// belong to a pointerup, and their default actions, are of this one.
function complete(a) {
  const c = new MessageChannel();
  c.port1.onmessage = () => conclude(a);
  c.port2.postMessage(0);
}

function conclude(a) {
  a.complete = true;
  a.done?.();
}

// browse.finish disarms the guard and reports what has arrived. With wait it does
// so when the last release has been handled, or at browse.nudge, so that it can
// be sent along with the input.
browse.finish = (seq, id, wait) => {
  const a = armed && armed.seq === seq ? armed : null;
  if (!wait || !a || a.complete) return reportOf(a, id);
  return new Promise((resolve) => {
    a.done = () => resolve(reportOf(a, id));
  });
};

// browse.nudge ends a wait: all input has been handled.
browse.nudge = (seq) => {
  if (armed && armed.seq === seq) conclude(armed);
};

function reportOf(a, id) {
  if (a && a.mode === "wheel") unlistenOn.call(window, "wheel", blockWheel, { capture: true });
  if (a && armed === a) armed = null;
  const el = elementOf(id);
  const report = { closing: top.closed, lost: !a, gone: !el, replaced: !!(a && a.replaced), seen: a ? a.seen : {}, wrong: a ? a.wrong : null, renamed: (a && a.renamed) || null, slipped: a ? a.slipped : null };
  if (el) {
    report.hidden = !surfaceOf(el);
    report.disabled = disabledBy(el);
    report.state = stateOf(el, "checked");
    report.download = !!closestFlat(el, "a[href][download],area[href][download]");
    report.hover = matches(surfaceOf(el) || el, ":hover");
  }
  if (a && a.wheel) report.prevented = a.wheel.defaultPrevented;
  if (a && a.touches) report.prevented = a.touches.some((e) => e.defaultPrevented);
  if (a && a.typing) report.typed = tookBy(a);
  const focus = a && a.mode === "click" ? deepFocus() : null;
  if (focus && focus !== a.focus && focus !== el) report.focus = { id: idOf(focus), role: roleOf(focus), name: nameOf(focus), desc: describe(focus) };
  return report;
}

// browse.unbar disarms the guard of a document that was barred, and tells what
// was stopped there.
browse.unbar = (seq) => {
  const a = armed && armed.seq === seq ? armed : null;
  if (a) armed = null;
  return a ? a.wrong : null;
};
