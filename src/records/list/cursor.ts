/**
 * Where a walk over a list goes on. A cursor holds the keys of the last record that was given,
 * the span that was resolved when the walk began, and a fingerprint of the question it belongs to. It
 * is no secret and grants nothing: it only ever narrows the caller's own query.
 */

import { createHash } from "node:crypto";
import { queryError } from "../../platform/validation/index.ts";
import type { KeyValue, Order, SortKey } from "./sort.ts";
import type { Span } from "./window.ts";

export interface Cursor {
  readonly fingerprint: string;
  readonly span: Span;
  /** One value for each key of the order. */
  readonly place: readonly KeyValue[];
  /** The page that follows, for the envelope's page_num. */
  readonly page: number;
  /** From where the next poll of a window begins, as the first page told it. */
  readonly next_s: number | undefined;
}

/** Tells apart the questions that a cursor must not be carried between. */
export const fingerprintOf = (parts: readonly (string | number | boolean | undefined)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);

export function writeCursor({ fingerprint, span, place, page, next_s }: Cursor): string {
  const parts = [fingerprint, span.from ?? null, span.to ?? null, page, place];
  if (next_s !== undefined) parts.push(next_s);
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** Reads a cursor that belongs to this question; throws where it does not, or is no cursor. */
export function readCursor(text: string, fingerprint: string, order: Order): Cursor {
  const refuse = (sentence: string) =>
    queryError("cursor", text, `${sentence}; start again without it`);
  const cursor = decode(text);
  if (cursor === undefined) throw refuse("this is no cursor");
  if (cursor.fingerprint !== fingerprint) {
    throw refuse(
      "this cursor belongs to a list with another filter, sort_dict, start_date, end_date or fields",
    );
  }
  const { place } = cursor;
  const fits = order.every((key, at) => isPlace(key, place[at] ?? null));
  if (!fits || place.length !== order.length) throw refuse("this is no cursor");
  return cursor;
}

function decode(text: string): Cursor | undefined {
  try {
    const [fingerprint, from, to, page, place, next_s] = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    ) as unknown[];
    if (typeof fingerprint !== "string" || !isPage(page) || !Array.isArray(place)) return undefined;
    if (!place.every((value) => value === null || isSaneText(value))) return undefined;
    const span = { ...(isCount(from) && { from }), ...(isCount(to) && { to }) };
    const told = isMoment(next_s) ? next_s : undefined;
    return { fingerprint, span, place: place as KeyValue[], page, next_s: told };
  } catch {
    return undefined;
  }
}

/** What PostgreSQL would not read as a value of the column is in no cursor of ours. */
function isPlace({ column, nullable }: SortKey, value: KeyValue): boolean {
  if (value === null) return nullable;
  switch (column.kind) {
    case "number":
      return nullable ? NUMERIC.test(value) : STAMP.test(value);
    case "flag":
      return value === "t" || value === "f";
    default:
      return true;
  }
}

const NUMERIC = /^-?\d{1,400}(?:\.\d{1,400})?$/;
const STAMP = /^-?\d{1,15}$/;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
/** Of a year with four digits. */
const isMoment = (value: unknown): value is number =>
  isCount(value) && Math.abs(value) <= 253_402_300_799;
const isPage = (value: unknown): value is number => isCount(value) && value > 0;
const isSaneText = (value: unknown): boolean =>
  typeof value === "string" && !value.includes("\0") && value.isWellFormed();
