// browse.rest resolves when nothing in the document has changed for quiet
// milliseconds, or after limit.
browse.rest = (quiet, limit) => new Promise((resolve) => {
  let last = performance.now();
  const end = last + limit;
  const observer = new MutationObserver(() => { last = performance.now(); });
  watchRoots(observer);
  const look = () => {
    const now = performance.now(), left = Math.min(last + quiet, end) - now;
    if (left > 0) {
      delay(left).then(look);
      return;
    }
    observer.disconnect();
    resolve(true);
  };
  look();
});
