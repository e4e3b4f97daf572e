/** The pages of the reference, which their vendor's script fills in the browser. */

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
  everything: { title: "API reference – Leadport", section: "/docs/", scheme: "APIKeyHeader" },
  partner: { title: "Partner API – Leadport", section: "/docs/partner", scheme: "PartnerToken" },
} as const;

/** A page of the reference. */
export function referencePage(view: keyof typeof PAGES): string {
  const { title, section, scheme } = PAGES[view];
  return framed({
    title,
    section,
    head: '<link rel="stylesheet" href="/docs/assets/reference.css">\n',
    body: `<div id="content" tabindex="-1"><div id="reference" data-document="${DOCUMENTS[view]}" data-scheme="${scheme}"></div></div>
<script src="/docs/assets/scalar.js"></script>
<script src="/docs/assets/reference.js"></script>`,
  });
}

/** The vendor's script, compressed: it has 4.3 MB, and most processes are never asked for it. */
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
