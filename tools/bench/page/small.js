// Counts what really happened, so that the bench need not believe an answer.
window.clicks = 0;
window.fills = [];
document.getElementById("inc").addEventListener("click", () => {
  window.clicks++;
  document.title = "Small " + window.clicks;
});
document.getElementById("name").addEventListener("input", (e) => window.fills.push(e.target.value));
