// Counts clicks in the title.
let clicks = 0;
document.getElementById("inc").addEventListener("click", () => { document.title = "Small " + ++clicks; });
