/**
 * Serves openapi.json with examples and with the host of the request. The document is large and public, so it is
 * generated once. For each request, only the parts that depend on the request are filled in.
 */

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type Clock, epochSeconds, isoSeconds } from "../platform/clock/index.ts";
import type { Module } from "../platform/modules/index.ts";
import { REF } from "../platform/schemas/index.ts";
import type { RecordTypes } from "../records/types/index.ts";
import { type Document, TODAY, withExamples, YESTERDAY } from "./examples/index.ts";
import { withOptionalBodies } from "./optional-bodies.ts";
import { partnerView } from "./partner-view.ts";
import { withSharedComponents } from "./shared-components.ts";
import { withSharedSchemas } from "./shared-schemas.ts";
import { tagsOf } from "./tags.ts";
import { withWebhooks } from "./webhooks.ts";

/** The document's scope: all operations, or only those of partners. */
export type View = "everything" | "partner";

/** What the document contains, apart from operations and schemas. */
export interface DocumentParts extends Required<Pick<Module, "tags" | "samples">> {
  /** The types of the records in examples. */
  readonly types: RecordTypes;
}

export interface ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

const ORIGIN = "%ORIGIN%";
/** A placeholder for the prefix of cookie names, which is used only over HTTPS. */
const COOKIE_PREFIX = "%COOKIE_PREFIX%";
const DAY_s = 86_400;

/** Generates each document when it is first requested. `read` returns the description without examples. */
export function createDocuments(read: () => object, clock: Clock, parts: DocumentParts) {
  const printed = new Map<View, string>();
  const served = new Map<View, { readonly key: string; readonly document: ServedDocument }>();
  const print = (view: View): string => {
    const document = JSON.parse(
      JSON.stringify(read()).replaceAll(`"${REF}":`, '"$ref":'),
    ) as Document;
    const told = withWebhooks(document, parts.types, view === "partner");
    const text = printDocument(view === "partner" ? partnerView(told) : told, parts);
    printed.set(view, text);
    return text;
  };
  return (view: View, request: FastifyRequest): ServedDocument => {
    const origin = originOf(request) ?? "/";
    const now_s = epochSeconds(clock);
    const today = dayOf(now_s);
    const yesterday = dayOf(now_s - DAY_s);
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

/** Returns the origin of the request, as reported by a trusted proxy, or undefined if the host is invalid. */
export const originOf = ({ protocol, host }: FastifyRequest): string | undefined =>
  URL.parse(`${protocol}://${host}`)?.origin;

/** Matches the guides' file names in descriptions. */
const GUIDE = /\bdocs\/([a-z-]+)\.md\b/g;

function printDocument(document: Document, { tags, samples, types }: DocumentParts): string {
  const { securitySchemes } = document.components;
  const schemes = Object.entries(securitySchemes).map(([name, scheme]) => {
    const isCookie = scheme["in"] === "cookie";
    return [
      name,
      isCookie ? { ...scheme, name: `${COOKIE_PREFIX}${String(scheme["name"])}` } : scheme,
    ];
  });
  const described = withSharedSchemas(withExamples(withOptionalBodies(document), types, samples));
  const { openapi, info, ...rest } = withSharedComponents({
    ...described,
    components: { ...described.components, securitySchemes: Object.fromEntries(schemes) },
  });
  return JSON.stringify(
    { openapi, info, servers: [{ url: ORIGIN }], tags: tagsOf(document, tags), ...rest },
    (name: string, value: unknown) =>
      name === "description" && typeof value === "string"
        ? value.replaceAll(GUIDE, "[docs/$1.md](/docs/guides/$1)")
        : value,
  );
}
