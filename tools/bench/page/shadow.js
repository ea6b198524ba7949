// One button in an open shadow root, one in a closed one.
for (const mode of ["open", "closed"]) {
  document.getElementById(mode).attachShadow({ mode }).innerHTML = `<button>Button in ${mode} root</button>`;
}
