/**
 * Pages of lists that are ordered by id, newest first, or by a key and then by id: their
 * parameters, where a page begins, the `Link` header (RFC 8288) that leads to the next one, and the count.
 */

import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ValidationError } from "../errors/index.ts";
import { isId } from "../clock/index.ts";
import type { Given, Parameters } from "./parameters.ts";

const PAGE_SIZE = 50;
const PAGE_SIZE_MAX = 500;

export const PAGE_PARAMETERS = {
  page_size: {
    kind: "integer",
    min: 1,
    max: PAGE_SIZE_MAX,
    fallback: PAGE_SIZE,
    description: "Entries of a page.",
  },
  page_num: { kind: "integer", min: 1, fallback: 1, description: "Which page, from 1." },
  cursor: {
    kind: "text",
    max: 200,
    description: 'Goes on where a page ended: taken from its Link header, rel="next".',
  },
} as const satisfies Parameters;

export type PageQuery = Partial<Given<typeof PAGE_PARAMETERS>>;

/** What of a list to read: one more than the page has, which tells whether there is another page. */
export interface Slice {
  readonly size: number;
  readonly limit: number;
  readonly offset: number;
  /** The id of the last entry of the page before. */
  readonly before: string | undefined;
  /** What that entry has of the key by which the list is ordered before it. */
  readonly key: string | undefined;
  /** Of what the list was asked: a cursor goes on with the same question only. */
  readonly question: string;
}

/**
 * Throws 422 for a cursor that is none, of another question, or beside a page_num. `isKey` tells what a
 * key may be; a list that is ordered by id alone has none.
 */
export function sliceOf(query: PageQuery, isKey = isNoKey): Slice {
  const { page_size: size = PAGE_SIZE, page_num = 1, cursor, ...asked } = query;
  refuseTwoPlaces(query);
  const question = questionOf(asked);
  const [before = "", of, ...rest] = cursor?.split(".") ?? [];
  const key = rest.length === 0 ? undefined : rest.join(".");
  if (cursor !== undefined && !(isId(before) && of === question && isKey(key))) {
    const sentence =
      "this is no cursor of this list with these parameters: take it from the Link header of a page";
    throw queryError("cursor", cursor, sentence);
  }
  const place = cursor === undefined ? { before: undefined, key: undefined } : { before, key };
  return { size, limit: size + 1, offset: (page_num - 1) * size, ...place, question };
}

const isNoKey = (key: string | undefined): boolean => key === undefined;

/** A short hash of what was asked, whatever its order. */
function questionOf(asked: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(given)).digest("base64url").slice(0, 12);
}

/** A cursor knows its place, and page_num names another. */
export function refuseTwoPlaces({ cursor, page_num }: PageQuery): void {
  if (cursor === undefined || page_num === undefined) return;
  const sentence = "page_num cannot be given with a cursor, which knows its place";
  throw queryError("page_num", page_num, sentence);
}

/** A 422 for one parameter of the query. */
export const queryError = (name: string, input: unknown, sentence: string): ValidationError =>
  new ValidationError([
    { type: "value_error", loc: ["query", name], msg: `Value error, ${sentence}`, input },
  ]);

export interface Page<T> {
  readonly entries: readonly T[];
  /** The cursor of the next page, where there is one. */
  readonly next?: string;
}

/** A page of what was read, with the cursor of the next one; `keyOf` where the list has a key. */
export function pageOf<T extends { readonly id: string }>(
  rows: readonly T[],
  { size, question }: Slice,
  keyOf?: (row: T) => string,
): Page<T> {
  const entries = rows.slice(0, size);
  const last = entries.at(-1);
  if (rows.length <= size || last === undefined) return { entries };
  const key = keyOf === undefined ? "" : `.${keyOf(last)}`;
  return { entries, next: `${last.id}.${question}${key}` };
}

/** Whether a request asks how many entries all pages hold together. */
export const wantsCount = ({ headers }: FastifyRequest): boolean =>
  /\bcount=exact\b/.test(String(headers["prefer"] ?? ""));

/** Tells how many they are. */
export const sendCount = (reply: FastifyReply, count: number): FastifyReply =>
  reply.header("x-total-count", count).header("preference-applied", "count=exact");

/** Adds a relative link to the same question at a cursor; nothing where there is no next page. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next?: string): void {
  if (next === undefined) return;
  const [path = "", query] = request.url.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("page_num");
  parameters.set("cursor", next);
  reply.header("link", `<${path}?${parameters.toString()}>; rel="next"`);
}
