// Waiting. Timers (setTimeout, setInterval) never fire in a document whose
// scripts are off, as in a sandboxed frame or under Content-Security-Policy
// sandbox; the timeout of an abort signal does, in all documents.

const abortAfter = AbortSignal.timeout;

// delay resolves after ms milliseconds.
const delay = (ms) => new Promise((resolve) => {
  listenOn.call(abortAfter.call(AbortSignal, Math.max(0, Math.ceil(ms))), "abort", resolve, { once: true });
});
