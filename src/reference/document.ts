/**
 * The description of the API as it is served: with examples, for the host that the request came to. It is
 * large and anyone may ask for it, so it is printed once, and what depends on the request is filled in.
 */

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type Clock, epochSeconds, isoSeconds } from "../platform/clock/index.ts";
import { type Document, TODAY, withExamples, YESTERDAY } from "./examples/index.ts";
import { partnerView } from "./partner-view.ts";

/** What is described: everything, or the operations of partners alone. */
export type View = "everything" | "partner";

export interface ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

const ORIGIN = "%ORIGIN%";
/** Precedes the names of cookies over https. */
const COOKIE_PREFIX = "%COOKIE_PREFIX%";
const DAY_s = 86_400;

/** Prints the documents when they are first asked for. `read` returns the description without examples. */
export function createDocuments(read: () => object, clock: Clock) {
  const printed = new Map<View, string>();
  const served = new Map<View, { readonly key: string; readonly document: ServedDocument }>();
  const print = (view: View): string => {
    const document = read() as Document;
    const text = printDocument(view === "partner" ? partnerView(document) : document);
    printed.set(view, text);
    return text;
  };
  return (view: View, request: FastifyRequest): ServedDocument => {
    const origin = originOf(request);
    const now_s = epochSeconds(clock);
    const [today, yesterday] = [dayOf(now_s), dayOf(now_s - DAY_s)];
    const key = `${origin} ${today}`;
    const last = served.get(view);
    if (last?.key === key) return last.document;
    const text = (printed.get(view) ?? print(view))
      .replaceAll(ORIGIN, () => JSON.stringify(origin).slice(1, -1))
      .replaceAll(COOKIE_PREFIX, origin.startsWith("https:") ? "__Host-" : "")
      .replaceAll(TODAY, today)
      .replaceAll(YESTERDAY, yesterday);
    const bytes = Buffer.from(text);
    const digest = createHash("sha256").update(bytes).digest("base64url");
    const document = { bytes, etag: `"${digest}"` };
    served.set(view, { key, document });
    return document;
  };
}

const dayOf = (epoch_s: number): string => isoSeconds(epoch_s).slice(0, 10);

/** The origin that a request came to, by the word of a proxy that is trusted; "/" if it names no host. */
const originOf = ({ protocol, host }: FastifyRequest): string =>
  URL.parse(`${protocol}://${host}`)?.origin ?? "/";

/** Descriptions name the guides by their files. */
const GUIDE = /\bdocs\/([a-z-]+)\.md\b/g;

function printDocument(document: Document): string {
  const { securitySchemes } = document.components;
  const schemes = Object.entries(securitySchemes).map(([name, scheme]) => {
    const isCookie = scheme["in"] === "cookie";
    return [
      name,
      isCookie ? { ...scheme, name: `${COOKIE_PREFIX}${String(scheme["name"])}` } : scheme,
    ];
  });
  const { openapi, info, ...rest } = withExamples({
    ...document,
    components: { ...document.components, securitySchemes: Object.fromEntries(schemes) },
  });
  return JSON.stringify(
    { openapi, info, servers: [{ url: ORIGIN }], ...rest },
    (name: string, value: unknown) =>
      name === "description" && typeof value === "string"
        ? value.replaceAll(GUIDE, "[docs/$1.md](/docs/guides/$1)")
        : value,
  );
}
