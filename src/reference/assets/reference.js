// Starts the reference. Every control of its vendor is off; samples show where a token goes.
(function () {
  const element = document.getElementById("reference");
  const choice = document.documentElement.dataset.colorScheme;
  const isSystem = matchMedia("(prefers-color-scheme: dark)").matches === (choice === "dark");
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
      securitySchemes: {
        APIKeyHeader: { value: "Bearer <token>" },
        PartnerToken: { value: "Partner <token>" },
      },
    },
  });
})();
