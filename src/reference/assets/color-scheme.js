// Applies the color scheme chosen in the console, or that of the system, before anything is painted.
(function () {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const KEY = "mantine-color-scheme-value";
  const chosen = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const apply = () => {
    const choice = chosen();
    const isDark = choice === "dark" || (choice !== "light" && system.matches);
    document.documentElement.dataset.colorScheme = isDark ? "dark" : "light";
  };
  apply();
  system.addEventListener("change", apply);
})();
