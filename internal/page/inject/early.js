// What has to be there before any script of the page: the listeners of the guard,
// which are thereby the first to see an event. They do nothing until guard.js and
// field.js have put their handlers here. Everything else is made when it is first
// asked for, for most documents, above all those of frames, are never asked
// anything, and the code takes longer to run than a small page to parse.
const early = { pointer: null, typed: null, carried: null, released: null };

// See dom.js for why methods are taken from prototypes.
const listenOn = EventTarget.prototype.addEventListener;

const pointed = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "contextmenu", "dblclick"];
const typed = ["keydown", "keypress", "beforeinput", "input"];

// For touch and wheel the browser would wait for a listener that may prevent what
// comes next, so these only keep the event from the page.
const rolled = ["touchstart", "touchmove", "touchend", "wheel"];
const dragged = ["dragstart", "dragenter", "dragover", "dragleave", "drop", "dragend"];

// Input carries the time at which it was aimed. What was aimed before this
// document began was meant for the one that stood here until then.
let born = performance.now();
const reborn = () => { born = performance.now(); };
listenOn.call(window, "pageshow", (e) => { if (e.persisted) reborn(); }); // back from the cache
listenOn.call(document, "prerenderingchange", reborn);
const passed = (handler) => (e) => {
  if (e.isTrusted && e.timeStamp < born) {
    e.stopImmediatePropagation();
    e.preventDefault();
  } else if (early[handler] !== null) early[handler](e);
};
const onPointer = passed("pointer"), onTyped = passed("typed"), onCarried = passed("carried"), onReleased = passed("released");

function listen() {
  // document.open takes the listeners of a document away; adding one that is
  // there changes nothing.
  for (const t of pointed) listenOn.call(window, t, onPointer, { capture: true, passive: false });
  for (const t of typed) listenOn.call(window, t, onTyped, { capture: true, passive: false });
  listenOn.call(window, "keyup", onReleased, { capture: true, passive: false });
  for (const t of rolled) listenOn.call(window, t, onCarried, { capture: true, passive: true });
  for (const t of dragged) listenOn.call(window, t, onCarried, { capture: true, passive: false });
}

listen();

// The top document is likely to be asked something, and soon. One without scripts
// has no idle time, and is made ready when it is asked.
if (window === top) requestIdleCallback(() => globalThis.browse);
