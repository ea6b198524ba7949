// Counts a vote in the review box, which is a document of its own.
const helpful = document.getElementById("helpful");
helpful.addEventListener("click", async () => {
  const answer = await fetch(`/reviews/${helpful.dataset.slug}/helpful`, { method: "POST" });
  document.getElementById("votes").textContent = (await answer.json()).votes + " people found this helpful";
});
