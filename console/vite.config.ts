/** Builds the pages: `npm run build -w console`, or `npm run dev -w console` while a service is running. */

import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import mantine from "postcss-preset-mantine";
import variables from "postcss-simple-vars";
import { defineConfig } from "vite";
import client from "../sdk/package.json" with { type: "json" };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const service = process.env["SERVICE_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: here("."),
  plugins: [react()],
  define: { "import.meta.env.VITE_CLIENT_VERSION": JSON.stringify(client.version) },
  resolve: {
    alias: [{ find: "@leadport/client", replacement: here("../sdk/src/index.ts") }],
  },
  css: {
    postcss: {
      plugins: [
        mantine(),
        variables({
          variables: {
            "mantine-breakpoint-xs": "36em",
            "mantine-breakpoint-sm": "48em",
            "mantine-breakpoint-md": "62em",
            "mantine-breakpoint-lg": "75em",
            "mantine-breakpoint-xl": "88em",
          },
        }),
      ],
    },
  },
  build: {
    target: "es2022",
    // The Content-Security-Policy of the pages allows only files from the service.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The package of Leadport contains the licenses.
    license: true,
    // Most modules are small. With a separate file for each, a page would send a hundred requests.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "icons", test: /tabler/, minShareCount: 2 },
            { name: "shared", minShareCount: 12, maxModuleSize: 30_000 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/crm": service, "/auth": service, "/docs": service, "/sdk": service } },
});
