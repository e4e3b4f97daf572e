/**
 * Answers a planned list: a page as one buffer, a whole window as a stream. Bodies are passed through
 * as the bytes that PostgreSQL sends; no record is parsed on the way.
 */

import { Readable } from "node:stream";
import type { Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../../audit/index.ts";
import { becomeBulk, keepingParty } from "../../platform/admission/index.ts";
import { run } from "../../platform/database/index.ts";
import { asTooSlow } from "../../platform/http/index.ts";
import { batchSql, countSql, cursorAfter, pageSql, type ListPlan } from "./plan.ts";
import type { KeyValue } from "./sort.ts";

/**
 * Of one query while a window streams: the bytes to aim at, and the records of the first query, whose
 * size nobody knows yet, and of any. Most records have 1 KB, but one may have 1 MB.
 */
const BATCH_BYTES = 1024 * 1024;
const BATCH_FIRST = 100;
const BATCH_MAX = 1000;
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
function isKnownShape({ text }: Statement): boolean {
  if (shapes.has(text)) return true;
  if (shapes.size >= SHAPES_MAX) return false;
  shapes.add(text);
  return true;
}

type Statement = Pick<Sql, "text" | "values">;

async function rowsOf(scope: Scope, query: Statement): Promise<readonly Row[]> {
  try {
    const rows = await run(scope.db, query, { prepare: isKnownShape(query) }).raw();
    return rows as unknown as readonly Row[];
  } catch (error) {
    throw asTooSlow(error);
  }
}

const placeOf = (keys: readonly (Buffer | null)[]): KeyValue[] =>
  keys.map((key) => key?.toString("utf8") ?? null);

/** What a plan that is asked for again says in SQL to the tenant that asked for it last. */
const pages = new WeakMap<ListPlan, Statement & { readonly tenantId: TenantId }>();

function pageOf(tenantId: TenantId, plan: ListPlan, limit: number): Statement {
  const known = pages.get(plan);
  if (known?.tenantId === tenantId) return known;
  const { text, values } = pageSql(tenantId, plan, limit);
  const made = { tenantId, text, values };
  pages.set(plan, made);
  return made;
}

/** One page. `scope.db` is the pool of composed queries. */
export async function readPage(scope: Scope, plan: ListPlan): Promise<Page> {
  const size = plan.pageSize ?? BATCH_MAX;
  const rows = await rowsOf(scope, pageOf(scope.tenantId, plan, size + 1));
  const bodies = rows.slice(0, size).map(([body]) => body);
  if (rows.length <= size) return { bodies };
  const [, ...keys] = rows[size - 1] as Row;
  return { bodies, next: cursorAfter(plan, placeOf(keys)) };
}

/** How many records all pages hold together. */
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

/** Records in a row: how many, their bodies with commas between, and where the next ones begin. */
interface Batch {
  readonly count: number;
  readonly bodies: Buffer;
  readonly place: readonly KeyValue[];
}

async function readBatch(
  scope: Scope,
  plan: ListPlan,
  size: number,
  place = plan.place,
): Promise<Batch> {
  const [row] = await rowsOf(scope, batchSql(scope.tenantId, plan, size, place));
  const [count, bodies, ...keys] = row as unknown as readonly (Buffer | null)[];
  return {
    count: Number(String(count)),
    bodies: bodies ?? NOTHING,
    place: placeOf(keys),
  };
}

const NOTHING = Buffer.alloc(0);

/**
 * A whole window as a stream of bytes, in constant memory: batch after batch by cursor, with no
 * transaction open between them, each read while the one before is taken. The first batch is read
 * before the answer begins, so that its failure is still a clean error; a later one leaves the JSON
 * unclosed and the connection broken.
 */
export async function streamAll(scope: Scope, plan: ListPlan): Promise<Readable> {
  becomeBulk();
  const first = await readBatch(scope, plan, BATCH_FIRST);
  async function* chunks(): AsyncGenerator<Buffer> {
    let [batch, size] = [first, BATCH_FIRST];
    yield Buffer.from("[");
    while (batch.count > 0) {
      const { count, bodies, place } = batch;
      const isFull = count === size;
      size = nextSize(count, bodies.length);
      const next = isFull ? readBatch(scope, plan, size, place) : undefined;
      // A failure is met when it is waited for, which a reader who hangs up prevents.
      next?.catch(() => undefined);
      // Let go of before the reader takes it, which may last.
      batch = { ...batch, bodies: NOTHING };
      yield bodies;
      if (next === undefined) break;
      batch = await next;
      if (batch.count > 0) yield COMMA;
    }
    yield Buffer.from("]");
  }
  return Readable.from(keepingParty(chunks()), { objectMode: false, highWaterMark: BATCH_BYTES });
}

/** How many records the next query asks for, when so many had so many bytes. */
const nextSize = (records: number, bytes: number): number =>
  Math.min(Math.max(Math.floor((records * BATCH_BYTES) / bytes), 1), BATCH_MAX);
