/**
 * Answers a planned list: a page as one buffer, a whole window as a stream. Bodies are passed through
 * as the bytes that PostgreSQL sends; no record is parsed on the way.
 */

import { Readable } from "node:stream";
import type { Sql } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { run } from "../platform/db.ts";
import { asTooSlow } from "../platform/http.ts";
import { countSql, cursorAfter, pageSql, type ListPlan } from "./plan.ts";
import type { KeyValue } from "./sort.ts";

/** Records of one query while a window streams. */
const BATCH = 1000;
/** Query shapes that are kept prepared in each session; the others are planned and forgotten. */
const SHAPES_MAX = 200;

export interface Page {
  readonly bodies: readonly Buffer[];
  /** The cursor of the next page, where there is one. */
  readonly next?: string;
}

type Row = readonly [body: Buffer, ...keys: (Buffer | null)[]];

const shapes = new Set<string>();

/** Whether this shape is worth a prepared statement: the first ones that are asked for are. */
function isKnownShape({ text }: Sql): boolean {
  if (shapes.has(text)) return true;
  if (shapes.size >= SHAPES_MAX) return false;
  shapes.add(text);
  return true;
}

async function rowsOf(scope: Scope, query: Sql): Promise<readonly Row[]> {
  try {
    const rows = await run(scope.db, query, { prepare: isKnownShape(query) }).raw();
    return rows as unknown as readonly Row[];
  } catch (error) {
    throw asTooSlow(error);
  }
}

const placeOf = ([, ...keys]: Row): KeyValue[] =>
  keys.map((key) => (key === null ? null : key.toString("utf8")));

/** One page. `scope.db` is the pool of composed queries. */
export async function readPage(scope: Scope, plan: ListPlan): Promise<Page> {
  const size = plan.pageSize ?? BATCH;
  const rows = await rowsOf(scope, pageSql(scope.tenantId, plan, size + 1, plan.place));
  const bodies = rows.slice(0, size).map(([body]) => body);
  const last = rows[size - 1];
  return rows.length > size && last !== undefined
    ? { bodies, next: cursorAfter(plan, placeOf(last)) }
    : { bodies };
}

/** How many records all pages hold together (D5.3). */
export async function countRecords(scope: Scope, plan: ListPlan): Promise<number> {
  const [row] = await rowsOf(scope, countSql(scope.tenantId, plan));
  return Number(String(row?.[0]));
}

const COMMA = Buffer.from(",");

/** `[a,b,c]` between an opening and a closing text. */
export function joinBodies(open: string, bodies: readonly Buffer[], close: string): Buffer {
  const parts: Buffer[] = [Buffer.from(open)];
  for (const body of bodies) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(body);
  }
  parts.push(Buffer.from(close));
  return Buffer.concat(parts);
}

/**
 * A whole window as a stream of bytes, in constant memory: batch after batch by cursor, with no
 * transaction open between them. The first batch is read before the answer begins, so that its
 * failure is still a clean error; a later one leaves the JSON unclosed and the connection broken.
 */
export async function streamAll(scope: Scope, plan: ListPlan): Promise<Readable> {
  const batch = (place: readonly KeyValue[] | undefined): Promise<readonly Row[]> =>
    rowsOf(scope, pageSql(scope.tenantId, plan, BATCH, place));
  const first = await batch(plan.place);
  async function* chunks(): AsyncGenerator<Buffer> {
    let rows = first;
    let separator = "[";
    while (rows.length > 0) {
      const last = rows.at(-1) as Row;
      const bodies = rows.map(([body]) => body);
      yield joinBodies(separator, bodies, "");
      separator = ",";
      rows = rows.length < BATCH ? [] : await batch(placeOf(last));
    }
    yield Buffer.from(separator === "[" ? "[]" : "]");
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 256 * 1024 });
}
