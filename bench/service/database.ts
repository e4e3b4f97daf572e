/** Connections to a service's database. No other file of the benchmarks uses the driver. */

import type { Readable, Writable } from "node:stream";
import postgres from "postgres";

type Values = readonly unknown[];
/** The columns of a row, as the bytes that PostgreSQL sent. */
export type RawRow = readonly Buffer[];

export interface Database {
  /** Runs a statement. If it has values, it is prepared once per connection. */
  readonly query: <T = Readonly<Record<string, unknown>>>(
    text: string,
    values?: Values,
  ) => Promise<readonly T[]>;
  readonly rawRows: (text: string, values: Values) => Promise<readonly RawRow[]>;
  /** Reads rows through a cursor, in batches of `size`. */
  readonly batches: (
    text: string,
    values: Values,
    size: number,
  ) => AsyncIterable<readonly RawRow[]>;
  /** Runs `copy … to stdout` or `copy … from stdin`. */
  readonly copyOut: (text: string) => Promise<Readable>;
  readonly copyIn: (text: string) => Promise<Writable>;
  readonly end: () => Promise<void>;
}

/** Opens a pool of connections with these PostgreSQL settings. */
export function openDatabase(
  url: string,
  connections = 1,
  settings: Readonly<Record<string, string>> = {},
): Database {
  const sql = postgres(url, { max: connections, connection: settings, onnotice: () => {} });
  const send = (text: string, values: Values = []) =>
    sql.unsafe(text, values as never[], { prepare: values.length > 0 });
  return {
    query: async <T>(text: string, values?: Values) =>
      (await send(text, values)) as unknown as readonly T[],
    rawRows: async (text, values) => await send(text, values).raw(),
    batches: (text, values, size) => send(text, values).raw().cursor(size),
    copyOut: (text) => send(text).readable(),
    copyIn: (text) => send(text).writable(),
    end: () => sql.end(),
  };
}

/** Opens one connection for some work, and closes it afterward. */
export async function withDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
