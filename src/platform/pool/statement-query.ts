/** A statement with parameters, or a text of several statements without parameters. */

import { DatabaseError, serialize } from "./driver.ts";
import type { Column, Prepared } from "./prepared.ts";
import { Query } from "./query.ts";
import { RawRow } from "./raw-row.ts";
import { parameterOf, parserOf, typeOf } from "./values.ts";
import type { Wire } from "./wire.ts";
import { asError } from "../errors/index.ts";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface StatementOptions {
  /**
   * Whether the connection keeps the statement and its plan. Default: if the statement has values. A text without values
   * can then contain several statements.
   */
  readonly prepare?: boolean | undefined;
  /** Whether to return rows as bytes. */
  readonly isRaw?: boolean;
  /** Receives the raw rows instead of the result. */
  readonly onRow?: (row: RawRow) => void;
  /**
   * A statement that returns no rows and runs first, in the same round trip and transaction. Only prepared statements can
   * have one. If it takes a lock, the statement sees what the lock's previous holder has committed.
   */
  readonly first?: Statement | undefined;
}

/** The rows of a result. If the text contained several statements, the rows of all of them. */
export class Rows extends Array<unknown> {
  /** The number of rows that the last statement returned or changed. */
  count = 0;

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

const PARAMETERS_MAX = 65_535;
/** The code of PostgreSQL's error for a statement after another one of the transaction has failed. */
export const ABORTED = "25P02";

/** Functions of PostgreSQL that reject a prepared statement because the schema has changed. It is then prepared again. */
const OUTDATED = new Set([
  "FetchPreparedStatement",
  "RevalidateCachedQuery",
  "transformAssignedExpr",
]);

const DESCRIBE = serialize.describe({ type: "P" });
const EXECUTE_FIRST = serialize.execute();
const EXECUTE = Buffer.concat([EXECUTE_FIRST, serialize.sync()]);

/** The number of statements prepared so far, from which the next one gets its name. */
let preparedCount = 0;

export class StatementQuery extends Query {
  #options: StatementOptions;
  readonly #result = Promise.withResolvers<Rows>();
  readonly #rows = new Rows();
  #wire: Wire | undefined = undefined;
  #prepared: Prepared | undefined = undefined;
  #first: Prepared | undefined = undefined;
  #columns: readonly Column[] = [];
  /** The error of a parameter that could not be sent, or of a row that could not be read. */
  #fault: Error | undefined = undefined;
  /** The error because of which the statement was prepared and sent again. */
  #outdated: Error | undefined = undefined;

  constructor({ text, values }: Statement, options: StatementOptions = {}) {
    super(text, values);
    this.#options = options;
  }

  get result(): Promise<Rows> {
    return this.#result.promise;
  }

  override abandon(error: Error): void {
    this.#result.reject(error);
  }

  /** Called by the driver to send the statement. Returns an error if it cannot be sent. */
  submit(wire: Wire): Error | null {
    const { prepare } = this.#options;
    this.#wire = wire;
    try {
      if (this.values.length > PARAMETERS_MAX) throw new RangeError("Too many parameters");
      if (prepare === undefined && this.values.length === 0) wire.query(this.text);
      else if (prepare === false) this.#sendOnce(wire);
      else this.#sendPrepared(wire);
      return null;
    } catch (error) {
      this.#fault = asError(error);
      return this.#fault;
    }
  }

  #sendOnce(wire: Wire): void {
    const bind = bound("", this.values);
    wire.send(serialize.parse({ text: this.text, types: this.values.map(typeOf) }));
    wire.send(bind);
    wire.send(DESCRIBE);
    wire.send(EXECUTE);
  }

  #sendPrepared(wire: Wire): void {
    const { first } = this.#options;
    // Neither of the two may be closed to make room for the other.
    if (first !== undefined) wire.makeRoom(2);
    // Nothing is sent if a value of either statement cannot be.
    const own = executionOn(wire, this);
    const before = first && executionOn(wire, first);
    this.#prepared = own.prepared;
    this.#first = before?.prepared;
    if (own.parse !== undefined) {
      const { name } = keep(wire, own.prepared);
      // The driver notes under this name that the statement could be prepared. It believes that the first message about
      // a prepared statement is about this one, so this one is prepared before `first`.
      this.name = name;
      wire.send(own.parse);
      wire.send(serialize.describe({ type: "S", name }));
    }
    if (before !== undefined) {
      if (before.parse !== undefined) {
        keep(wire, before.prepared);
        wire.send(before.parse);
      }
      wire.send(before.bind);
      wire.send(EXECUTE_FIRST);
    }
    wire.send(own.bind);
    wire.send(EXECUTE);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    if (this.#prepared === undefined) this.#columns = columns;
    else this.#prepared.columns = columns;
  }

  handleDataRow(row: Buffer): void {
    if (this.#fault !== undefined) return;
    const { isRaw, onRow } = this.#options;
    try {
      if (onRow !== undefined) onRow(new RawRow(row));
      else if (isRaw === true) this.#rows.push(new RawRow(row));
      else this.#rows.push(parsedRow(row, this.#prepared?.columns ?? this.#columns));
    } catch (error) {
      this.#fault = asError(error);
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // The last word, as in "INSERT 0 5". Commands that affect no rows, such as BEGIN, have no count.
    const count = Number(text.slice(text.lastIndexOf(" ") + 1));
    this.#rows.count = Number.isNaN(count) ? 0 : count;
  }

  handleEmptyQuery(): void {}

  /** An ended query may remain in memory until the next full collection. The rows that its caller collects must not. */
  protected override end(error?: Error): boolean {
    this.#options = {};
    return super.end(error);
  }

  handleReadyForQuery(): void {
    if (this.#fault !== undefined) this.fail(this.#fault);
    else if (this.end()) this.#result.resolve(this.#rows);
  }

  override handleError(error: Error): void {
    if (this.#wire !== undefined && this.#prepared !== undefined) {
      const isOutdated = error instanceof DatabaseError && OUTDATED.has(error.routine ?? "");
      const isPrepared = this.#wire.parsedStatements[this.#prepared.name] !== undefined;
      if (isOutdated || !isPrepared) {
        forget(this.#wire, this.#prepared);
        if (this.#first !== undefined) forget(this.#wire, this.#first);
      }
      if (isOutdated && this.#outdated === undefined) {
        this.#outdated = error;
        this.sendAgain();
        return;
      }
    }
    if (this.#fault === undefined) super.handleError(this.#causeOf(error));
    else this.fail(this.#fault);
  }

  /** In a transaction, a statement that is sent again fails only because it has failed before. */
  #causeOf(error: Error): Error {
    const isAborted = error instanceof DatabaseError && error.code === ABORTED;
    return (isAborted && this.#outdated) || error;
  }
}

const bound = (statement: string, values: readonly unknown[]): Buffer =>
  serialize.bind({ statement, values: values.map(parameterOf) });

/** Returns the messages that run a statement. `parse` prepares it if the connection has not prepared it yet. */
function executionOn(wire: Wire, { text, values }: Statement) {
  const types = values.map(typeOf);
  const key = types.some((type) => type > 0) ? `${types.join()} ${text}` : text;
  const known = wire.prepared.get(key);
  const prepared = known ?? { key, name: `s${(preparedCount += 1)}`, columns: [] };
  return {
    prepared,
    bind: bound(prepared.name, values),
    parse: known === undefined ? serialize.parse({ name: prepared.name, text, types }) : undefined,
  };
}

function keep(wire: Wire, prepared: Prepared): Prepared {
  wire.makeRoom(1);
  wire.prepared.set(prepared.key, prepared);
  return prepared;
}

function forget({ prepared }: Wire, outdated: Prepared): void {
  if (prepared.get(outdated.key) === outdated) prepared.delete(outdated.key);
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

function parsedRow(row: Buffer, columns: readonly Column[]): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  let at = 2;
  for (const { name, parse } of columns) {
    const start = at + 4;
    const length = row.readInt32BE(at);
    at = start + Math.max(0, length);
    parsed[name] = length < 0 ? null : parse(row.toString("utf8", start, at));
  }
  return parsed;
}
