// Renders everything anew at each change, as small frameworks do.
window.items = 0;
window.hits = 0;
function render() {
  const list = Array.from({ length: window.items }, (_, i) => `<li><button class="item">Item ${i + 1}</button></li>`).join("");
  document.getElementById("app").innerHTML = `<p>count ${window.items}</p><button id="add">Add item</button><ul>${list}</ul>`;
  document.getElementById("add").addEventListener("click", () => { window.items++; render(); });
  for (const b of document.querySelectorAll(".item")) b.addEventListener("click", () => window.hits++);
}
render();
