/** The reference pages. A third-party script renders their content in the browser. */

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import Fastify from "fastify";
import { framed } from "./frame.ts";

const compress = promisify(gzip);

export const DOCUMENTS = {
  everything: "/openapi.json",
  partner: "/docs/partner/openapi.json",
} as const;

const PAGES = {
  everything: {
    title: "API reference – Leadport",
    heading: "Leadport",
    section: "/docs/",
    scheme: "APIKeyHeader",
  },
  partner: {
    title: "Partner API – Leadport",
    heading: "Leadport for partners",
    section: "/docs/partner",
    scheme: "PartnerToken",
  },
} as const;

/**
 * Returns a page of the reference. It shows only its heading until the third-party script has loaded the operations,
 * which takes seconds.
 */
export function referencePage(view: keyof typeof PAGES): string {
  const { title, heading, section, scheme } = PAGES[view];
  return framed({
    title,
    section,
    head:
      '<link rel="stylesheet" href="/docs/assets/reference.css">\n' +
      '<script src="/docs/assets/scalar.js" defer></script>\n' +
      '<script src="/docs/assets/reference.js" defer></script>\n',
    body: `<div id="content" tabindex="-1">
<main class="guides wide" id="loading"><div class="guide">
<h1>${heading}</h1>
<p role="status">Loading the operations …</p>
</div></main>
<div id="reference" data-document="${DOCUMENTS[view]}" data-scheme="${scheme}"></div>
</div>`,
  });
}

/**
 * Returns the third-party script, compressed. It is loaded on first use, because it is 4.3 MB in size and most
 * processes never need it.
 */
export async function vendorScript(): Promise<Buffer> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  const vendor = Fastify();
  await vendor.register(apiReference, {
    routePrefix: "/docs",
    configuration: { url: DOCUMENTS.everything },
  });
  const { rawPayload } = await vendor.inject("/docs/js/scalar.js");
  await vendor.close();
  return compress(rawPayload);
}

export const uncompressed = promisify(gunzip);
