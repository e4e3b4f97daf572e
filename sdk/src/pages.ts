/** Reads a list page by page, by the links that the pages carry. */

import type { Answer, CallMessage, Calls } from "./call.ts";

const PAGE_SIZE = 200;

/** Every page of a list. The cursor in a link knows the question, so the link is followed as it is. */
export async function* pagesOf(
  { call }: Calls,
  path: string,
  { query, ...message }: CallMessage,
): AsyncGenerator<Answer<unknown>, void, undefined> {
  let asked: CallMessage["query"] = { page_size: PAGE_SIZE, ...query };
  while (asked !== undefined) {
    const answer: Answer<unknown> = await call("get", path, { ...message, query: asked });
    yield answer;
    asked = nextQuery(answer.headers.get("link"));
  }
}

/** The entries of a list, one after another. */
export async function* entriesOf(
  calls: Calls,
  path: string,
  message: CallMessage,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of pagesOf(calls, path, message)) yield* listIn(data);
}

/** The entries of an answer: itself, or the one list in its envelope. */
export function listIn(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data as unknown[];
  return (Object.values(data ?? {}).find(Array.isArray) ?? []) as unknown[];
}

/** The query of `Link: <…>; rel="next"` (RFC 8288); undefined on the last page. */
export function nextQuery(link: string | null): Record<string, string> | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1];
  if (target === undefined) return undefined;
  return Object.fromEntries(new URL(target, "http://next.invalid").searchParams);
}
