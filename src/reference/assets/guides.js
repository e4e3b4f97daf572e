// Adds a button to each sample that copies it.
(function () {
  const SHOWN_ms = 2000;
  // The clipboard is there on https and on this machine only.
  const copyText = async (text) => {
    if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  };
  for (const sample of document.querySelectorAll(".guide .code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.ariaLive = "polite";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await copyText(sample.querySelector("pre").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), SHOWN_ms);
    });
    sample.append(button);
  }
})();
