/** Serves a single-page application: its built files, and the same HTML document for all its pages. */

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { StartError } from "../errors/index.ts";
import { NO_FRAMES } from "./common-headers.ts";

export interface Pages {
  readonly folder: string;
  /** The file name of the packed client, including its version. Undefined if the client was not built. */
  readonly client: string | undefined;
  /** Sends the HTML document if a browser opens a page. Otherwise, returns undefined. */
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
}

/** Matches the paths of the API and of files. Requests to these paths never get a page, even from a browser. */
const NO_PAGES = /^\/(crm|auth|docs|assets|sdk|healthz|readyz|metrics)(\/|$)|\.\w+$/;

/** Returns a content security policy that allows only the service itself and the style sources in `styles`. */
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

/** Returns the headers of a page. `styles` are CSP style sources in addition to the service itself. */
export const pageHeaders = (styles = "") => ({
  ...HEADERS,
  ...NO_FRAMES,
  "content-security-policy": policy(styles),
});

/** Opens the pages that were built into a folder. Throws a StartError if there are none. */
export function openPages(folder: string): Pages {
  const file = join(folder, "index.html");
  if (!existsSync(file)) throw new StartError("The pages are not built. Run `npm run build`.");
  const [before, after] = readFileSync(file, "utf8").split("%NONCE%");
  if (before === undefined || after === undefined) {
    throw new Error(`${file} has no %NONCE% placeholder. Build the pages again.`);
  }
  return {
    folder,
    client: packedClient(join(folder, "sdk")),
    serve: ({ method, url, headers }, reply) => {
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
 * Serves the built files, which were compressed at build time. If the path of the packed client has no version, the
 * response redirects to the current version.
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
      // File names in assets/ contain a hash of the content.
      const isHashed = path.includes("/assets/");
      const caching = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
      void reply.header("cache-control", caching);
    },
  });
}
