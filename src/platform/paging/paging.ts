/**
 * Pagination of lists that are ordered by id, newest first, or by a key and then by id. Handles parameters, cursors,
 * the `Link` header (RFC 8288) for the next page, and the total count.
 */

import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ValidationError } from "../errors/index.ts";
import { isId } from "../ids/index.ts";
import type { Given, Parameters } from "../validation/index.ts";
import type { Schemas } from "../schemas/index.ts";

const PAGE_SIZE = 50;
const PAGE_SIZE_MAX = 500;

export const PAGE_PARAMETERS = {
  page_size: {
    kind: "integer",
    min: 1,
    max: PAGE_SIZE_MAX,
    fallback: PAGE_SIZE,
    description: "The number of entries per page.",
  },
  page_num: {
    kind: "integer",
    min: 1,
    fallback: 1,
    description:
      "The page number, starting at 1. Use `cursor` instead to read many pages; you cannot combine them.",
  },
  cursor: {
    kind: "text",
    max: 200,
    description:
      "The position to continue from: take it from the previous page's `Link` header. Valid only " +
      "with the same parameters.",
  },
} as const satisfies Parameters;

/** The members of a page in responses that are not bare arrays. */
export const PAGE_SCHEMAS = {
  page_size: { type: "integer", description: "The number of entries per page." },
  page_num: { type: "integer", description: "The number of the returned page." },
} as const satisfies Schemas;

export type PageQuery = Partial<Given<typeof PAGE_PARAMETERS>>;

/**
 * The part of a list to read. It has one entry more than the page. The extra entry shows whether there is another page.
 */
export interface Slice {
  readonly size: number;
  readonly limit: number;
  readonly offset: number;
  /** The id of the last entry of the previous page. */
  readonly before: string | undefined;
  /** The sort key of the last entry of the previous page. */
  readonly key: string | undefined;
  /** A hash of the parameters. A cursor is valid only with the same parameters. */
  readonly fingerprint: string;
}

/**
 * Throws 422 for an invalid cursor, a cursor that was issued for other parameters, or a cursor
 * combined with page_num. `isKey` checks the sort key in a cursor. Lists sorted only by id have none.
 */
export function sliceOf(query: PageQuery, isKey = isNoKey): Slice {
  const { page_size: size = PAGE_SIZE, page_num = 1, cursor, ...parameters } = query;
  refuseCursorWithPageNum(query);
  const fingerprint = fingerprintOf(parameters);
  const [before = "", of, ...rest] = cursor?.split(".") ?? [];
  const key = rest.length === 0 ? undefined : rest.join(".");
  if (cursor !== undefined && !(isId(before) && of === fingerprint && isKey(key))) {
    const sentence =
      "this cursor is not valid for this list with these parameters: take it from the Link header of a page";
    throw queryError("cursor", cursor, sentence);
  }
  const place = cursor === undefined ? { before: undefined, key: undefined } : { before, key };
  return { size, limit: size + 1, offset: (page_num - 1) * size, ...place, fingerprint };
}

const isNoKey = (key: string | undefined): boolean => key === undefined;

/** Returns a short hash of the parameters, regardless of their order. */
function fingerprintOf(parameters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(given)).digest("base64url").slice(0, 12);
}

/** Throws 422 if both a cursor and page_num are given, because a cursor already determines the page. */
export function refuseCursorWithPageNum({ cursor, page_num }: PageQuery): void {
  if (cursor === undefined || page_num === undefined) return;
  const sentence = "page_num cannot be combined with a cursor";
  throw queryError("page_num", page_num, sentence);
}

/** Creates a 422 error for one query parameter. */
export const queryError = (name: string, input: unknown, sentence: string): ValidationError =>
  new ValidationError([
    { type: "value_error", loc: ["query", name], msg: `Value error, ${sentence}`, input },
  ]);

export interface Page<T> {
  readonly entries: readonly T[];
  /** The cursor of the next page, if there is one. */
  readonly next?: string;
}

/** Creates a page from the rows of a slice. Pass `keyOf` if the list is ordered by a key. */
export function pageOf<T extends { readonly id: string }>(
  rows: readonly T[],
  { size, fingerprint }: Slice,
  keyOf?: (row: T) => string,
): Page<T> {
  const entries = rows.slice(0, size);
  const last = entries.at(-1);
  if (rows.length <= size || last === undefined) return { entries };
  const key = keyOf === undefined ? "" : `.${keyOf(last)}`;
  return { entries, next: `${last.id}.${fingerprint}${key}` };
}

/** Whether a request asks for the total count. */
export const wantsCount = ({ headers }: FastifyRequest): boolean =>
  /\bcount=exact\b/.test(String(headers["prefer"] ?? ""));

/** Adds the total count to a response. */
export const sendCount = (reply: FastifyReply, count: number): FastifyReply =>
  reply.header("x-total-count", count).header("preference-applied", "count=exact");

/**
 * The maximum length of a link with all parameters. Many clients accept at most 16 KiB of headers, and many proxies less.
 */
const LINK_CHARACTERS_MAX = 8000;

/** Adds a relative link to the next page, if there is one. If it would be too long, it contains only the cursor. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next?: string): void {
  if (next === undefined) return;
  // The query itself may contain question marks (RFC 3986, 3.4).
  const [path = "", ...query] = request.url.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  parameters.delete("page_num");
  parameters.set("cursor", next);
  const whole = `${path}?${parameters.toString()}`;
  const target = whole.length <= LINK_CHARACTERS_MAX ? whole : `${path}?cursor=${next}`;
  reply.header("link", `<${target}>; rel="next"`);
}
