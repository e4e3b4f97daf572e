/** Computes the expected results of sorted lists and their pages, for tests of sorting and cursors. */

import type { Client } from "../../kit/api.ts";
import { ok, recordsIn, type Body } from "../samples.ts";

export type Sort = Readonly<Record<string, 1 | -1>>;

/** Returns the path of the next page, or undefined on the last page. */
export const nextOf = (headers: Headers): string | undefined =>
  /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];

/**
 * Reads all pages of a list in order. `between` is called before each page except the first. Throws after `pagesMax`
 * pages, so that a list without an end fails the test.
 */
export async function walk(
  client: Client,
  path: string,
  query: Readonly<Record<string, unknown>>,
  {
    between = async () => undefined,
    pagesMax = 10_000,
  }: { readonly between?: () => Promise<unknown>; readonly pagesMax?: number } = {},
): Promise<Body[]> {
  const seen: Body[] = [];
  let response = ok(await client.get(path, query));
  for (let page = 1; ; page++) {
    seen.push(...recordsIn(response));
    const next = nextOf(response.headers);
    if (next === undefined) return seen;
    if (page === pagesMax) throw new Error(`${path} has more than ${pagesMax} pages`);
    await between();
    response = ok(await client.get(next));
  }
}

export const idsOf = (records: readonly Body[]): string[] => records.map(({ _id }) => String(_id));

/** Sort order: null first, then numbers, strings by code point, and false before true. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === "string" && typeof b === "string") {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return Number(a) - Number(b);
}

/** Sorts records by `sort_dict` without the service. */
export function sorted(records: readonly Body[], sort: Sort): Body[] {
  const keys = Object.entries(sort);
  const tie = keys.at(-1)?.[1] ?? 1;
  return records.toSorted((a, b) => {
    for (const [name, direction] of keys) {
      const order = compare(a[name], b[name]) * direction;
      if (order !== 0) return order;
    }
    return compare(a["_id"], b["_id"]) * tie;
  });
}
