/**
 * The context for writing records: the tenant, the dependencies, the author, the record type, and the parts that other
 * modules take in each write.
 */

import { isInTx, type Scope } from "../../audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { transaction, type Db, type Tx } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { Sealer } from "../../platform/secrets/index.ts";
import type { CountryCode } from "../contact-details/index.ts";
import type { Draft, Values } from "../body/index.ts";
import type { RecordName, RecordType } from "../types/index.ts";
import type { Changes } from "./record-changes.ts";

/** The author of writes: the user who will own new records, and the tenant's country. */
export interface Author {
  readonly country: CountryCode;
  readonly person: { readonly id: string; readonly name: string };
}

export interface StoreDeps {
  readonly makeId: MakeId;
  readonly participants: readonly Participant[];
}

export interface WriteDeps extends StoreDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/** The context for storing records that are already complete. */
export interface StoreContext<D extends Db | Tx = Db | Tx> {
  readonly scope: Scope<D>;
  readonly deps: StoreDeps;
  readonly type: RecordType;
}

export interface Writer<
  D extends Db | Tx = Db | Tx,
  T extends RecordType = RecordType,
> extends StoreContext<D> {
  readonly deps: WriteDeps;
  readonly author: Author;
  readonly type: T;
}

/** Returns a copy of the writer that uses a different connection. */
export const writerOn = <D extends Db | Tx>(writer: Writer, db: D): Writer<D> => ({
  ...writer,
  scope: { ...writer.scope, db },
});

export const isWriterInTx = (writer: Writer): writer is Writer<Tx> => isInTx(writer.scope);

/** Runs `work` in a transaction. Inside a transaction, uses a savepoint, so that a failure can be handled. */
export const inTransaction = <T>(
  writer: Writer,
  work: (within: Writer<Tx>) => Promise<T>,
): Promise<T> => transaction(writer.scope.db, (tx) => work(writerOn(writer, tx)));

/** A record that is about to be created. */
export interface NewRecord {
  readonly id: string;
  readonly draft: Draft;
}

/**
 * A module's part in writing records. A write needs a transaction if a participant has a function for it. If one of the
 * functions throws, nothing is written.
 */
export interface Participant {
  /** The types of records in whose writes it takes part. */
  readonly types: readonly RecordName[];
  /**
   * Called before records are created. Returns values that callers cannot set (`set_elsewhere`), in the order of the
   * records.
   */
  readonly complete?: (
    writer: Writer<Tx>,
    records: readonly NewRecord[],
  ) => Promise<readonly Values[]>;
  /** Called after each statement that has written records. */
  readonly afterStored?: (context: StoreContext<Tx>, changes: Changes) => Promise<void>;
  readonly merging?: Merging;
}

/**
 * A module's part in merges. `move` transfers the data that the module stores for merged records to the survivor. It
 * returns the data that `restore` needs to undo the transfer, by the ids of the rows that it has changed. Each `restore`
 * gets the data of all participants.
 */
interface Merging {
  readonly move: (
    writer: Writer<Tx>,
    merge: { readonly into: string; readonly ids: readonly string[] },
  ) => Promise<JsonObject>;
  readonly restore: (
    writer: Writer<Tx>,
    undo: { readonly from: string; readonly kept: JsonObject },
  ) => Promise<void>;
}

/** Returns the participants' functions with this name for records of the context's type. */
export const participantsIn = <K extends "complete" | "afterStored" | "merging">(
  { deps: { participants }, type }: StoreContext,
  part: K,
): readonly NonNullable<Participant[K]>[] =>
  participants.flatMap((one) => {
    const taken = one.types.includes(type.name) ? one[part] : undefined;
    return taken ?? [];
  });
