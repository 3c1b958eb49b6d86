// Runs before the page is drawn, so that it never flashes in another look; the rest of this is in look.js.
try {
  const { theme, size, measure } = JSON.parse(localStorage.getItem("look") ?? "{}");
  const root = document.documentElement;
  if (["light", "sepia", "dark"].includes(theme)) root.dataset.theme = theme;
  if (Number.isFinite(size)) root.style.setProperty("--size", `${size / 16}rem`);
  if (Number.isFinite(measure)) root.style.setProperty("--measure", `${measure}rem`);
} catch { /* private windows keep nothing */ }
