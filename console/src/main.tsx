/** The entry point of the application. */

import "./app/mantine.css";
import "@mantine/notifications/styles.layer.css";
import "./app/app.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./routing/index.ts";
import { contrast, router, theme } from "./app/index.ts";

/** The nonce that allows styles in this document's content security policy. */
const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
// While a dialog is open, a library hides the page from screen readers. It reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={contrast}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
