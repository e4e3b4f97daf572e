/**
 * Reads a planned list: a page as one buffer, or a whole window as a stream. Bodies are forwarded exactly as PostgreSQL
 * sends them. No record is parsed.
 */

import { Readable } from "node:stream";
import type { Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import { becomeBulk, keepingParty } from "../../platform/admission/index.ts";
import { type Database, type Db, run } from "../../platform/database/index.ts";
import { asTooSlow } from "../../platform/http/index.ts";
import {
  constantOf,
  isRecurring,
  isShared,
  knownOf,
  type Statement,
  type Statements,
} from "./reused-plans.ts";
import { countSql, foundSql, pageSql } from "./list-sql.ts";
import { cursorAfter, type ListPlan } from "./plan.ts";
import type { KeyValue } from "./sort.ts";

/**
 * Query sizes for a streamed window: the target size in bytes, the number of records in the first query (when record
 * sizes are still unknown), and the maximum number of records. Most records are about 1 KB, but a record can be as
 * large as 1 MB.
 */
const BATCH_BYTES = 1024 * 1024;
const BATCH_FIRST = 100;
const BATCH_MAX = 1000;

export interface Page {
  readonly bodies: readonly Buffer[];
  /** The cursor of the next page, if there is one. */
  readonly next?: string;
}

/** The tenant whose records are read, and the database connections. */
export interface ListReader {
  readonly tenantId: TenantId;
  readonly db: Pick<Database, "reads" | "lists">;
}

type Row = readonly [body: Buffer | null, ...keys: (Buffer | null)[]];

async function rowsOf(
  db: Db,
  query: Statement,
  prepare = isShared(query),
): Promise<readonly Row[]> {
  try {
    const rows = await run(db, query, { prepare }).raw();
    return rows as unknown as readonly Row[];
  } catch (error) {
    throw asTooSlow(error);
  }
}

const placeOf = (keys: readonly (Buffer | null)[]): KeyValue[] =>
  keys.map((key) => key?.toString("utf8") ?? null);

function statementsOf(
  tenantId: TenantId,
  plan: ListPlan,
  limit: number,
  place = plan.place,
): Statements {
  const { lookup } = plan;
  let walked: Statement | undefined;
  return {
    found: lookup && textOf(foundSql(tenantId, { ...plan, lookup }, limit, place)),
    walked: () => (walked ??= textOf(pageSql(tenantId, plan, limit, place))),
  };
}

/** Copies `text`, because the property of an Sql is a getter that joins the parts each time. */
const textOf = ({ text, values }: Sql): Statement => ({ text, values });

/**
 * Runs a lookup by key in the pool that reuses plans, because for one or two records, planning takes longer than
 * reading. If the lookup finds too many records, or if there is no lookup, scans the list with a plan for these
 * specific values.
 */
async function rowsBy({ db }: ListReader, { found, walked }: Statements): Promise<readonly Row[]> {
  const rows = found && (await rowsOf(db.reads, found));
  return rows === undefined || rows.at(-1)?.[0] === null ? rowsOf(db.lists, walked()) : rows;
}

/**
 * Returns a page's rows. A list that is a single index range uses the same pool as lookups by key, because PostgreSQL
 * reads no more records than it returns.
 */
async function pageRows(
  reader: ListReader,
  plan: ListPlan,
  limit: number,
): Promise<readonly Row[]> {
  const { db, tenantId } = reader;
  const known = knownOf(tenantId, plan.first ?? plan);
  const constant = constantOf(known, plan, limit);
  if (constant !== undefined && isRecurring(constant)) {
    return rowsOf(plan.isOneRange ? db.reads : db.lists, constant, true);
  }
  const make = () => statementsOf(tenantId, plan, limit);
  return rowsBy(reader, plan.place === undefined ? (known.statements ??= make()) : make());
}

function shownBodies({ shown: { pick } }: ListPlan, rows: readonly Row[]): readonly Buffer[] {
  const bodies = rows.map(([body]) => body as Buffer);
  return pick === undefined ? bodies : bodies.map(pick);
}

export async function readPage(reader: ListReader, plan: ListPlan): Promise<Page> {
  const size = plan.pageSize ?? BATCH_MAX;
  const rows = await pageRows(reader, plan, size + 1);
  const bodies = shownBodies(plan, rows.slice(0, size));
  if (rows.length <= size) return { bodies };
  const [, ...keys] = rows[size - 1] as Row;
  return { bodies, next: cursorAfter(plan, placeOf(keys)) };
}

/** Returns the total number of records in the list. */
export async function countRecords({ db, tenantId }: ListReader, plan: ListPlan): Promise<number> {
  const [row] = await rowsOf(db.lists, countSql(tenantId, plan));
  return Number(String(row?.[0]));
}

const COMMA = Buffer.from(",");

/** Joins bodies with commas, and adds the prefix `open` and the suffix `close`. */
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
 * A batch in a stream: the number of records, their bodies separated by commas, and the position where the next batch
 * starts.
 */
interface Joined {
  readonly count: number;
  readonly bodies: Buffer;
  readonly place: readonly KeyValue[];
}

async function readBatch(
  reader: ListReader,
  plan: ListPlan,
  limit: number,
  place?: readonly KeyValue[],
): Promise<Joined> {
  const rows = await rowsBy(reader, statementsOf(reader.tenantId, plan, limit, place));
  const bodies = shownBodies(plan, rows);
  const [, ...keys] = rows.at(-1) ?? [];
  return { count: rows.length, bodies: joinBodies("", bodies, ""), place: placeOf(keys) };
}

const NOTHING = Buffer.alloc(0);

/**
 * Streams a whole window in constant memory, one batch at a time. Each batch is read while the previous one is being
 * sent, and no transaction stays open between batches. The first batch is read before the response starts, so that a
 * failure still produces a regular error response. A later failure leaves the JSON incomplete and closes the
 * connection.
 */
export async function streamAll(reader: ListReader, plan: ListPlan): Promise<Readable> {
  becomeBulk();
  const first = await readBatch(reader, plan, BATCH_FIRST);
  async function* chunks(): AsyncGenerator<Buffer> {
    let [batch, size] = [first, BATCH_FIRST];
    yield Buffer.from("[");
    while (batch.count > 0) {
      const { count, bodies, place } = batch;
      const isFull = count === size;
      size = nextSize(count, bodies.length);
      const next = isFull ? readBatch(reader, plan, size, place) : undefined;
      // If the query fails, the error is thrown when the batch is awaited. A batch is never awaited if the client
      // disconnects, so prevent an unhandled rejection.
      next?.catch(() => undefined);
      // Drop this reference to the buffer, because the client may take a long time to read it.
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

/** Returns how many records to read next, based on the size of the last batch. */
const nextSize = (records: number, bytes: number): number =>
  Math.min(Math.max(Math.floor((records * BATCH_BYTES) / bytes), 1), BATCH_MAX);
