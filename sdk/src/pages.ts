/** Reads a list page by page, following the links in its responses. */

import type { Answer, CallMessage, Calls } from "./http/call.ts";

const PAGE_SIZE = 200;
/** The maximum length of an array, which has to fit into memory. Use a loop for longer lists. */
const LIMIT_MAX = 10_000;

/**
 * The entries of a list, for a single `for await` loop. Each page is requested when the loop
 * reaches it.
 */
export interface List<T> extends AsyncGenerator<T, void, undefined> {
  /**
   * Reads up to `limit` entries (1 to 10,000) from the start of the list, across pages. Rejects
   * with a TypeError if `limit` is invalid.
   */
  readonly autoPagingToArray: (options: { readonly limit: number }) => Promise<T[]>;
}

/**
 * Yields every page of a list. Links to the next page contain the query, or only the cursor if they
 * would be too long.
 */
export async function* pagesOf(
  { call }: Calls,
  path: string,
  { query, ...message }: CallMessage,
): AsyncGenerator<Answer<unknown>, void, undefined> {
  let asked: CallMessage["query"] = { page_size: PAGE_SIZE, ...query };
  while (asked !== undefined) {
    const answer: Answer<unknown> = await call("get", path, { ...message, query: asked });
    yield answer;
    const next = nextQuery(answer.headers.get("link"));
    asked = next && { ...asked, page_num: undefined, ...next };
  }
}

/** Yields a list's entries one by one. */
async function* entriesOf(
  calls: Calls,
  path: string,
  message: CallMessage,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of pagesOf(calls, path, message)) yield* listIn(data);
}

export function listOf(calls: Calls, path: string, message: CallMessage): List<unknown> {
  const autoPagingToArray = async (given?: { readonly limit: number }): Promise<unknown[]> => {
    const limit = checkedLimit(given?.limit);
    // Avoid requesting more entries than needed.
    const query = { page_size: Math.min(limit, PAGE_SIZE), ...message.query };
    const entries: unknown[] = [];
    for await (const entry of entriesOf(calls, path, { ...message, query })) {
      entries.push(entry);
      if (entries.length === limit) break;
    }
    return entries;
  };
  return Object.assign(entriesOf(calls, path, message), { autoPagingToArray });
}

function checkedLimit(limit: unknown): number {
  const isValid = Number.isInteger(limit) && (limit as number) >= 1;
  if (isValid && (limit as number) <= LIMIT_MAX) return limit as number;
  throw new TypeError(
    `autoPagingToArray needs \`limit\`, a whole number from 1 to ${LIMIT_MAX}. Read longer lists with \`for await\`.`,
  );
}

/** Returns the entries in a response body: the body itself, or the only array in its envelope. */
export function listIn(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data as unknown[];
  return (Object.values(data ?? {}).find(Array.isArray) ?? []) as unknown[];
}

/**
 * Returns the query of the link with `rel="next"` in a Link header (RFC 8288); undefined on the
 * last page.
 */
export function nextQuery(link: string | null): Record<string, string> | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1];
  if (target === undefined) return undefined;
  return Object.fromEntries(new URL(target, "http://next.invalid").searchParams);
}
