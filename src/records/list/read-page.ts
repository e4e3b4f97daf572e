/**
 * Reads a planned list: a page as one buffer, or a large page or whole window as a stream. Bodies are forwarded exactly
 * as PostgreSQL sends them. No record is parsed.
 */

import { Readable } from "node:stream";
import { becomeBulk, keepingParty } from "../../platform/admission/index.ts";
import { cursorAfter, type ListPlan } from "./plan.ts";
import { BATCH_BYTES, BATCH_FIRST, BATCH_MAX, nextSize } from "./batch-size.ts";
import {
  keysAt,
  type ListReader,
  pageRows,
  rowsAfter,
  type Rows,
  rowsWithIds,
} from "./read-rows.ts";
import type { KeyValue } from "./sort.ts";

export interface Page {
  readonly bodies: readonly Buffer[];
  /** The ids of the remaining records, if the page is too large to be kept in memory. */
  readonly rest: readonly string[];
  /** How many of the remaining records to read next. */
  readonly batch: number;
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;
}

function shownBodies({ shown: { pick } }: ListPlan, kept: Rows["kept"]): readonly Buffer[] {
  const bodies = kept.map((row) => row.column(0) as Buffer);
  return pick === undefined ? bodies : bodies.map(pick);
}

export async function readPage(reader: ListReader, plan: ListPlan): Promise<Page> {
  const size = plan.pageSize ?? BATCH_MAX;
  const rows = await pageRows(reader, plan, size + 1);
  const { kept, dropped } = rows;
  const last = kept.length + dropped.length > size ? keysAt(rows, size - 1) : undefined;
  return {
    bodies: shownBodies(plan, kept.slice(0, size)),
    rest: dropped.slice(0, Math.max(size - kept.length, 0)).map(idOf),
    batch: sizeAfter(rows),
    next: last && cursorAfter(plan, last),
  };
}

/** Returns the id in a row's sort keys, which is always the last one. */
const idOf = (keys: readonly KeyValue[]): string => String(keys.at(-1));

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

/** Streams a large page in constant memory. Omits records that have left the list since the page was read. */
export function streamPage(
  reader: ListReader,
  plan: ListPlan,
  { bodies, rest, batch }: Page,
  { open, close }: { readonly open: string; readonly close: string },
): Readable {
  becomeBulk();
  const first = joinBodies(open, bodies, "");
  async function* chunks(): AsyncGenerator<Buffer> {
    yield first;
    let ids = rest;
    let size = batch;
    while (ids.length > 0) {
      const rows = await rowsWithIds(reader, plan, ids.slice(0, size));
      ids = [...rows.dropped.map(idOf), ...ids.slice(size)];
      size = sizeAfter(rows);
      if (rows.kept.length > 0) yield joinBodies(",", shownBodies(plan, rows.kept), "");
    }
    yield Buffer.from(close);
  }
  return streamOf(chunks());
}

/**
 * Streams a JSON array, one group of elements at a time. The first group has been read already, so that a failure
 * produced a regular error response.
 */
export function streamGroups<G>(
  first: readonly Buffer[],
  groups: readonly G[],
  read: (group: G) => Promise<readonly Buffer[]>,
): Readable {
  becomeBulk();
  async function* chunks(): AsyncGenerator<Buffer> {
    yield joinBodies("[", first, "");
    let isEmpty = first.length === 0;
    for (const group of groups) {
      const bodies = await read(group);
      if (bodies.length === 0) continue;
      yield joinBodies(isEmpty ? "" : ",", bodies, "");
      isEmpty = false;
    }
    yield Buffer.from("]");
  }
  return streamOf(chunks());
}

const streamOf = (chunks: AsyncGenerator<Buffer>): Readable =>
  Readable.from(keepingParty(chunks), { objectMode: false, highWaterMark: BATCH_BYTES });

/** A batch in a stream: the number of records, and their bodies separated by commas. */
interface Batch {
  readonly count: number;
  readonly bodies: Buffer;
  /** Where the next batch starts, and how many records to read. Undefined if this is the last batch. */
  readonly next: { readonly place: readonly KeyValue[]; readonly size: number } | undefined;
}

async function readBatch(
  reader: ListReader,
  plan: ListPlan,
  limit: number,
  from?: readonly KeyValue[],
): Promise<Batch> {
  const rows = await rowsAfter(reader, plan, limit, from);
  const count = rows.kept.length;
  const place = keysAt(rows, count - 1);
  const hasMore = count === limit || rows.dropped.length > 0;
  const bodies = joinBodies("", shownBodies(plan, rows.kept), "");
  return { count, bodies, next: hasMore && place ? { place, size: sizeAfter(rows) } : undefined };
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
    let batch = first;
    yield Buffer.from("[");
    while (batch.count > 0) {
      const { bodies, next: from } = batch;
      const next = from && readBatch(reader, plan, from.size, from.place);
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
  return streamOf(chunks());
}

/** Returns how many records to read next. */
const sizeAfter = ({ kept, dropped, bytes }: Rows): number =>
  nextSize(kept.length + dropped.length, bytes);
