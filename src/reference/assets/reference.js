// Starts the reference. All of the vendor's controls are off. Samples show where a token goes.
(function () {
  const element = document.getElementById("reference");
  const choice = document.documentElement.dataset.colorScheme;
  const isSystem = matchMedia("(prefers-color-scheme: dark)").matches === (choice === "dark");
  // The vendor's code mistakes existing content for its own and then fails to hydrate it.
  element.replaceChildren();
  window.Scalar.createApiReference(element, {
    url: element.dataset.document,
    theme: "none",
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: "never",
    hideClientButton: true,
    hideDarkModeToggle: true,
    ...(isSystem ? {} : { forceDarkModeState: choice }),
    hideModels: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: "json",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    authentication: {
      preferredSecurityScheme: element.dataset.scheme,
      securitySchemes: {
        APIKeyHeader: { value: "Bearer <token>" },
        PartnerToken: { value: "Partner <token>" },
      },
    },
  });

  // Names and roles that the vendor's elements lack. Without them, screen readers cannot identify
  // the elements.
  const LABEL = "aria-label";
  const name = (found, text) => found.ariaLabel ?? found.setAttribute(LABEL, text);
  const all = document.querySelectorAll.bind(document);
  const repair = () => {
    if (all(".references-rendered h1").length > 0) document.getElementById("loading")?.remove();
    for (const button of all(".scalar-code-copy")) name(button, "Copy");
    for (const editor of all(".code-input-lite__editor")) {
      name(editor, editor.dataset.placeholder || "Value");
      if (editor.ariaExpanded === null) editor.ariaExpanded = "false";
    }
    for (const card of all(".response-card[role=region]")) card.role = "group";
    for (const button of all("button[role=none]")) button.role = null;
    const [, ...toasts] = all("section[aria-label^=Notifications]");
    for (const list of toasts) list.ariaLabel = "Notifications of requests";
  };
  new MutationObserver(repair).observe(document.body, { childList: true, subtree: true });
})();
