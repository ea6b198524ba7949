// Names the controls after the frame's place.
const which = new URLSearchParams(location.search).get("which");
document.getElementById("b").textContent = `Button in ${which} frame`;
document.getElementById("i").setAttribute("aria-label", `Input in ${which} frame`);
