/** The documentation routes. Pages and files are created when they are first requested. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { pageHeaders } from "../platform/http/index.ts";
import { entityTagsIn, matchesWeakly } from "../platform/operations/index.ts";
import { createDocuments, type DocumentParts, originOf, type View } from "./document.ts";
import {
  DOCUMENTS,
  GUIDES_PATH,
  type Guides,
  notFoundPage,
  openGuides,
  referencePage,
  uncompressed,
  vendorScript,
} from "./pages/index.ts";

/** Keeps these routes out of openapi.json, because they are not API operations. */
const HIDDEN = { schema: { hide: true } } as const;

const ASSETS: Readonly<Record<string, string>> = {
  "color-scheme.js": "text/javascript; charset=utf-8",
  "guides.js": "text/javascript; charset=utf-8",
  "reference.js": "text/javascript; charset=utf-8",
  "docs.css": "text/css; charset=utf-8",
  "reference.css": "text/css; charset=utf-8",
};
const SCRIPT = "/docs/assets/scalar.js";

export function addRoutes(app: FastifyInstance, clock: Clock, parts: DocumentParts): void {
  addDocuments(app, clock, parts);
  addReferencePages(app);
  addGuides(app);
  addAssets(app);
}

function addDocuments(app: FastifyInstance, clock: Clock, parts: DocumentParts): void {
  const documentFor = createDocuments(() => app.swagger(), clock, parts);
  for (const [view, url] of Object.entries(DOCUMENTS)) {
    app.get(url, HIDDEN, async (request, reply) => {
      const { bytes, etag } = documentFor(view as View, request);
      return isKnown(request, reply, etag) ? reply : reply.type("application/json").send(bytes);
    });
  }
}

/** Sends 304 if the client already has this version. */
function isKnown({ headers }: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header("etag", etag);
  const known = entityTagsIn("if-none-match", headers["if-none-match"]).value;
  if (known === undefined || !matchesWeakly(known, etag)) return false;
  void reply.code(304).send();
  return true;
}

const sendPage = (reply: FastifyReply, page: string, styles?: string): FastifyReply =>
  reply.headers(pageHeaders(styles)).type("text/html; charset=utf-8").send(page);

/** The third-party script adds styles without a nonce. Scripts are still limited to the service's own files. */
const VENDOR_STYLES = "'unsafe-inline'";

function addReferencePages(app: FastifyInstance): void {
  app.get("/docs", HIDDEN, (_request, reply) => reply.redirect("/docs/", 301));
  for (const [url, view] of [
    ["/docs/", "everything"],
    ["/docs/partner", "partner"],
  ] as const) {
    app.get(url, HIDDEN, (_request, reply) => sendPage(reply, referencePage(view), VENDOR_STYLES));
  }
}

function addGuides(app: FastifyInstance): void {
  let guides: Guides | undefined;
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { "*": name = "" } = request.params as { readonly "*"?: string };
    guides ??= openGuides();
    const picture = guides.picture(name);
    if (picture !== undefined) return reply.type("image/svg+xml").send(picture);
    const page = guides.page(name, originOf(request));
    return page === undefined ? sendNotFound(request, reply) : sendPage(reply, page);
  };
  for (const url of [GUIDES_PATH, `${GUIDES_PATH}/*`]) app.get(url, HIDDEN, answer);
  app.get("/docs/*", HIDDEN, sendNotFound);
}

/** Sends browsers a page with a link back, and other clients the usual 404. */
function sendNotFound({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (headers.accept?.includes("text/html") !== true) throw new AppError("not_found");
  return sendPage(reply.code(404), notFoundPage());
}

interface Asset {
  readonly bytes: Buffer;
  readonly etag: string;
}

const assetOf = (bytes: Buffer): Asset => ({
  bytes,
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
});

function addAssets(app: FastifyInstance): void {
  const assets = new Map<string, Asset>();
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/assets/${name}`, HIDDEN, (request, reply) => {
      const file = join(import.meta.dirname, "assets", name);
      const asset = assets.get(name) ?? assetOf(readFileSync(file));
      assets.set(name, asset);
      reply.header("cache-control", "no-cache");
      return isKnown(request, reply, asset.etag) ? reply : reply.type(type).send(asset.bytes);
    });
  }
  let script: Promise<Asset> | undefined;
  app.get(SCRIPT, HIDDEN, async (request, reply) => {
    script ??= vendorScript().then(assetOf);
    const { bytes, etag } = await script;
    reply.headers({ "cache-control": "no-cache", vary: "accept-encoding" });
    if (isKnown(request, reply, etag)) return reply;
    reply.type("text/javascript; charset=utf-8");
    const takesGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (!takesGzip) return reply.send(await uncompressed(bytes));
    return reply.header("content-encoding", "gzip").send(bytes);
  });
}
