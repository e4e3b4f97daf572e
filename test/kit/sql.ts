/**
 * SQL for tests. Functions of the service accept these handles as connections. Tests can also call them as template tags,
 * which send the statement immediately. Identifiers and rows are inserted with `sql(name)` and `sql(row)`.
 */

import sqlTag, { type RawValue, type Sql } from "sql-template-tag";
import {
  columns,
  type Connection,
  type Database,
  type Db,
  inserted,
  openPool,
  type Row,
  type Rows,
  run,
  type Tx,
} from "../../src/platform/database/index.ts";
import type { Query } from "../../src/platform/pool/index.ts";

type AnyRows = readonly (object | undefined)[];

interface Tag {
  <T extends AnyRows = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<Rows<T>>;
  /** Returns an identifier, or the columns and values of an insert statement. */
  (name: string | object): Sql;
  /** Runs a text, which may contain several statements if it has no values. */
  readonly unsafe: <T extends AnyRows = Row[]>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<Rows<T>>;
}

export type TestTx = Tx & Tag;

export type TestSql = Omit<Db, "begin"> &
  Tag & {
    /** Runs a transaction. The mode can be omitted. */
    readonly begin: {
      <T>(work: (tx: TestTx) => Promise<T>): Promise<T>;
      <T>(mode: string, work: (tx: TestTx) => Promise<T>): Promise<T>;
    };
    /** Takes a connection out of the pool until `release` is called. */
    readonly reserve: () => Promise<Tag & Awaited<ReturnType<Db["reserve"]>>>;
  };

function tagOf(db: Connection): Tag {
  function tag(first: TemplateStringsArray | string | object, ...values: RawValue[]): unknown {
    if (typeof first === "string") return columns([first]);
    if (!("raw" in first)) return inserted(first);
    return run(db, sqlTag(first, ...values), {});
  }
  const unsafe = (text: string, values: readonly unknown[] = []) =>
    run(db, { text, values: [...values] }, values.length > 0 ? { prepare: false } : {});
  return Object.assign(tag, { unsafe }) as unknown as Tag;
}

/** Returns a handle that can also be called as a template tag. */
export const testSql = (db: Db): TestSql =>
  Object.assign(tagOf(db), {
    isTransaction: false as const,
    reads: db.reads,
    guard: db.guard,
    submit: db.submit.bind(db),
    guardedBy: db.guardedBy.bind(db),
    holding: db.holding.bind(db),
    separate: db.separate.bind(db),
    listen: db.listen.bind(db),
    end: db.end.bind(db),
    reserve: async () => {
      const reserved = await db.reserve();
      return Object.assign(tagOf(reserved), reserved);
    },
    begin: <T>(
      first: string | ((tx: TestTx) => Promise<T>),
      work?: (tx: TestTx) => Promise<T>,
    ): Promise<T> => {
      const [mode, body] = typeof first === "string" ? [first, work] : ["", first];
      return db.begin(mode, (tx) => (body as (tx: TestTx) => Promise<T>)(testTx(tx)));
    },
  });

const testTx = (tx: Tx): TestTx =>
  Object.assign(tagOf(tx), {
    isTransaction: true as const,
    submit: tx.submit.bind(tx),
    onEnd: tx.onEnd.bind(tx),
    savepoint: <T>(work: (part: Tx) => Promise<T>) => tx.savepoint((part) => work(testTx(part))),
  });

/** Opens a pool. Default: a single connection. */
export const openSql = (options: Parameters<typeof openPool>[0]): TestSql =>
  testSql(openPool(options));

export interface Interception {
  /** Called instead of sending a statement. Must pass the query to `send`, or make it fail. */
  readonly submit: (query: Query, send: (query: Query) => void) => void;
  /** Called before a transaction or a part of it begins. */
  readonly onBegin?: (what: "begin" | "savepoint") => void;
  /** Whether the statements of the pool for short reads are intercepted as well. */
  readonly withReads?: boolean;
  /** Whether the statements of separate connections are intercepted as well. */
  readonly withSeparate?: boolean;
}

/** Returns a handle whose statements are intercepted, including those in transactions. */
export const intercepted = (db: Db, interception: Interception): Db => ({
  isTransaction: false,
  guard: db.guard,
  reads:
    interception.withReads === true
      ? intercepted(db.reads, { ...interception, withReads: false })
      : db.reads,
  submit: (query) => interception.submit(query, (one) => db.submit(one)),
  begin: (mode, work) => {
    interception.onBegin?.("begin");
    return db.begin(mode, (tx) => work(interceptedTx(tx, interception)));
  },
  guardedBy: (guard) => intercepted(db.guardedBy(guard), interception),
  holding: (party, part) => db.holding(party, part),
  reserve: () => db.reserve(),
  separate: (options) => {
    const separate = db.separate(options);
    return interception.withSeparate === true ? intercepted(separate, interception) : separate;
  },
  listen: (channel, onNotice) => db.listen(channel, onNotice),
  end: (options) => db.end(options),
});

const interceptedTx = (tx: Tx, interception: Interception): Tx => ({
  isTransaction: true,
  submit: (query) => interception.submit(query, (one) => tx.submit(one)),
  savepoint: (work) => {
    interception.onBegin?.("savepoint");
    return tx.savepoint((part) => work(interceptedTx(part, interception)));
  },
  onEnd: (listener) => tx.onEnd(listener),
});

/** Returns a handle that calls `note` for each statement, also on separate connections. */
export const noting = (db: Db, note: (query: Query) => void): Db =>
  intercepted(db, {
    withSeparate: true,
    submit: (query, send) => {
      note(query);
      send(query);
    },
  });

/** Records the statements that an app sends, including those inside transactions. */
export function noteStatements() {
  const sent: string[] = [];
  const interception = {
    submit: (query, send) => {
      sent.push(query.text);
      send(query);
    },
    onBegin: (what) => void sent.push(what),
  } satisfies Interception;
  return {
    sent,
    wrap: (db: Database): Database => ({ ...db, sql: intercepted(db.sql, interception) }),
  };
}
