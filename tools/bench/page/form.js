// Shows in the title what was filled in.
document.getElementById("form").addEventListener("submit", (e) => {
  e.preventDefault();
  const value = (id) => document.getElementById(id).value;
  document.title = `Welcome ${value("user")} ${value("pass").length} ${value("city")} ${document.getElementById("remember").checked}`;
  document.getElementById("out").textContent = document.title;
});
