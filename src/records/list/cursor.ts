/**
 * A cursor marks where the next page of a list starts. It contains the last returned record's sort keys, the time span
 * computed for the first page, and a fingerprint of the request. A cursor is not secret and grants no access, because
 * it only narrows the caller's own query.
 */

import { createHash } from "node:crypto";
import { queryError } from "../../platform/paging/index.ts";
import { STORAGES } from "../columns/index.ts";
import type { KeyValue, Order, SortKey } from "./sort.ts";
import type { Span } from "./window.ts";

export interface Cursor {
  readonly fingerprint: string;
  readonly span: Span;
  /** The position of the last returned record, with one value per sort key. */
  readonly place: readonly KeyValue[];
  /** The number of the next page, returned as page_num in the envelope. */
  readonly page: number;
  /** The start_date for the next poll of a window, as returned with the first page. */
  readonly next_s: number | undefined;
}

/** Returns a fingerprint of the parameters that must not change between pages. */
export const fingerprintOf = (parts: readonly (string | number | boolean | undefined)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);

export function writeCursor({ fingerprint, span, place, page, next_s }: Cursor): string {
  const parts = [fingerprint, span.from ?? null, span.to ?? null, page, place];
  if (next_s !== undefined) parts.push(next_s);
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** Parses a cursor. Throws if it is malformed or belongs to another request. */
export function readCursor(text: string, fingerprint: string, order: Order): Cursor {
  const refuse = (sentence: string) =>
    queryError("cursor", text, `${sentence}; start again without it`);
  const cursor = decode(text);
  if (cursor === undefined) throw refuse("this is not a valid cursor");
  if (cursor.fingerprint !== fingerprint) {
    throw refuse(
      "this cursor was issued for a different filter, sort_dict, start_date, end_date or fields",
    );
  }
  const { place } = cursor;
  const fits = order.every((key, at) => isPlace(key, place[at] ?? null));
  if (!fits || place.length !== order.length) throw refuse("this is not a valid cursor");
  return cursor;
}

function decode(text: string): Cursor | undefined {
  try {
    const [fingerprint, from, to, page, place, next_s] = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    ) as unknown[];
    if (typeof fingerprint !== "string" || !isPage(page) || !Array.isArray(place)) return undefined;
    if (!place.every((value) => value === null || isStorableText(value))) return undefined;
    const span = { ...(isCount(from) && { from }), ...(isCount(to) && { to }) };
    const next = isMoment(next_s) ? next_s : undefined;
    return { fingerprint, span, place: place as KeyValue[], page, next_s: next };
  } catch {
    return undefined;
  }
}

/** Rejects values that cannot be in the column, because PostgreSQL may be unable to parse them as the column's type. */
function isPlace({ column, nullable }: SortKey, value: KeyValue): boolean {
  if (value === null) return nullable;
  return column.kind === "number" && !nullable
    ? STAMP.test(value)
    : STORAGES[column.kind].isPosition(value);
}

const STAMP = /^-?\d{1,15}$/;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
/** Whether a value is a time no later than the year 9999. */
const isMoment = (value: unknown): value is number =>
  isCount(value) && Math.abs(value) <= 253_402_300_799;
const isPage = (value: unknown): value is number => isCount(value) && value > 0;
const isStorableText = (value: unknown): boolean =>
  typeof value === "string" && !value.includes("\0") && value.isWellFormed();
