// Puts the product into the cart without leaving the page.
const button = document.getElementById("add");
button.addEventListener("click", async () => {
  button.disabled = true;
  const answer = await fetch("/cart/add/" + button.dataset.slug, { method: "POST" });
  const { count, items, name } = await answer.json();
  const cart = document.querySelector("header .cart");
  cart.querySelector(".count").textContent = count;
  cart.setAttribute("aria-label", `Cart, ${items}`);
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("role", "status");
  toast.textContent = `${name} is in your cart`;
  document.body.append(toast);
  button.disabled = false;
});
