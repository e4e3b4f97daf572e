/** Serves an application of pages: its built files, and its document for all its addresses. */

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NO_FRAMES } from "./common-headers.ts";

export interface Pages {
  readonly folder: string;
  /** The file name of the packed client, which contains its version; undefined if it was not built. */
  readonly client: string | undefined;
  /** Answers the document where the request is a browser's that opens a page; else undefined. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
}

/** Where programs ask, and a browser that opens an address gets the operation's answer. */
const NO_PAGES = /^\/(crm|auth|docs|assets|sdk|healthz|readyz|metrics)(\/|$)|\.\w+$/;

/** Nothing runs or is shown but what the service itself serves, and styles that the page makes as `styles` says. */
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    NO_FRAMES["content-security-policy"],
  ].join("; ");

const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "same-origin",
} as const;

/** The headers of a page. `styles` are the sources of its styles in addition to the service itself. */
export const pageHeaders = (styles = "") => ({
  ...HEADERS,
  ...NO_FRAMES,
  "content-security-policy": policy(styles),
});

/** The pages that were built into a folder; undefined where none were. */
export function openPages(folder: string): Pages | undefined {
  const file = join(folder, "index.html");
  if (!existsSync(file)) return undefined;
  const [before, after] = readFileSync(file, "utf8").split("%NONCE%");
  if (before === undefined || after === undefined) {
    throw new Error(`${file} has no place for a nonce`);
  }
  return {
    folder,
    client: packedClient(join(folder, "sdk")),
    answer: ({ method, url, headers }, reply) => {
      const [path = ""] = url.split("?", 1);
      const isOpened = headers.accept?.includes("text/html") === true;
      if ((method !== "GET" && method !== "HEAD") || !isOpened || NO_PAGES.test(path)) {
        return undefined;
      }
      const nonce = randomBytes(16).toString("base64");
      return reply
        .code(200)
        .headers(pageHeaders(`'nonce-${nonce}'`))
        .type("text/html; charset=utf-8")
        .send(before + nonce + after);
    },
  };
}

const packedClient = (folder: string): string | undefined =>
  existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".tgz")) : undefined;

/**
 * Hangs the built files into the app, as they were packed when they were built. The packed client is also at
 * an address without its version, which leads to the current one.
 */
export async function addPageFiles(app: FastifyInstance, { folder, client }: Pages): Promise<void> {
  if (client !== undefined) {
    app.get("/sdk/leadport-client.tgz", { schema: { hide: true } }, (_request, reply) =>
      reply.redirect(client),
    );
  }
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    schemaHide: true,
    globIgnore: ["index.html*", "**/*.{br,gz}", ".*"],
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Files below assets/ are named by what is in them.
      const isNamedByContent = path.includes("/assets/");
      const caching = isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache";
      void reply.header("cache-control", caching);
    },
  });
}
