// Adds a copy button to each sample.
(function () {
  const SHOWN_ms = 2000;
  for (const sample of document.querySelectorAll(".guide .code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.ariaLive = "polite";
    button.textContent = "Copy";
    const copy = async () => {
      await copyText(sample.querySelector("pre").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), SHOWN_ms);
    };
    button.addEventListener("click", () => void copy());
    sample.append(button);
  }

  async function copyText(text) {
    // Browsers provide the clipboard only on https and on localhost.
    if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
})();
