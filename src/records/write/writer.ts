/** The context for writing records: the tenant, the dependencies, the author, and the record type. */

import { isInTx, type Scope } from "../../audit/index.ts";
import type { Clock, MakeId } from "../../platform/clock/index.ts";
import { transaction, type Db, type Tx } from "../../platform/database/index.ts";
import type { Json } from "../../platform/json/index.ts";
import type { Sealer } from "../../platform/secrets/index.ts";
import type { CountryCode, Draft, Values } from "../shape/index.ts";
import type { RecordName, RecordType } from "../types/index.ts";

/** The author of writes: the user who will own new records, and the tenant's country. */
export interface Author {
  readonly country: CountryCode;
  readonly person: { readonly id: string; readonly name: string };
}

export interface WriteDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly onCreation?: CreationHook | undefined;
  readonly onMerge?: MergeHook | undefined;
}

export interface Writer<D extends Db | Tx = Db | Tx, T extends RecordType = RecordType> {
  readonly scope: Scope<D>;
  readonly deps: WriteDeps;
  readonly author: Author;
  readonly type: T;
}

/** A record that is about to be stored. */
export interface NewRecord {
  readonly id: string;
  readonly draft: Draft;
}

/**
 * Lets other modules add values to new records in the same transaction. `run` returns values that callers cannot set
 * (`set_elsewhere`), in the order of the records.
 */
export interface CreationHook {
  readonly types: readonly RecordName[];
  readonly run: (writer: Writer<Tx>, records: readonly NewRecord[]) => Promise<readonly Values[]>;
}

/**
 * Lets other modules take part in merges, in the transaction of the merge. `move` transfers the data that they store
 * for merged records to the survivor, and returns the data that `restore` needs to undo the transfer.
 */
export interface MergeHook {
  readonly types: readonly RecordName[];
  readonly move: (
    writer: Writer<Tx>,
    merge: { readonly into: string; readonly ids: readonly string[] },
  ) => Promise<Json>;
  readonly restore: (
    writer: Writer<Tx>,
    undo: { readonly from: string; readonly kept: Json },
  ) => Promise<void>;
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
