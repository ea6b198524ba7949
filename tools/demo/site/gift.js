// <gift-wrap>: one choice in an open shadow root, as a shared widget would be.
customElements.define("gift-wrap", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>
      :host { display: block; margin-top: 1.25rem; }
      label { display: inline-flex; gap: .6rem; align-items: center; background: #fff; border: 1px dashed #b4532a; border-radius: .6rem; padding: .7rem 1rem; cursor: pointer; }
      input { accent-color: #b4532a; }
      small { color: #5d6b73; }
    </style>
    <label><input type="checkbox"> Wrap it as a gift <small>with a card</small></label> <output></output>`;
    const box = root.querySelector("input");
    box.checked = this.hasAttribute("checked");
    box.addEventListener("change", async () => {
      await fetch("/cart/gift?on=" + box.checked, { method: "POST" });
      root.querySelector("output").textContent = box.checked ? "We will wrap it" : "";
    });
  }
});
