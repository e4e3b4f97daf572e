/** The only function that writes records. It chooses the statement for the changes, and runs it within the quota. */

import { growing, type Growth, isInTx, ROW_bytes, type Scope } from "../../audit/index.ts";
import { ChangedByOthers, runRaw, transaction, type Tx } from "../../platform/database/index.ts";
import type { Changes } from "./record-changes.ts";
import { insertMany, insertOne, remove, restoreMany, updateMany, updateOne } from "./statements.ts";
import { inputOf, updateOf, type WriteInput } from "./statement-values.ts";
import { participantsIn, type StoreContext } from "./writer.ts";

interface Written {
  /** The number of records that were written. */
  readonly count: number;
  /** The stored body if a single record was created or updated, and otherwise empty. */
  readonly body: Buffer;
}

const NO_BODY = Buffer.alloc(0);

/**
 * Writes records of the context's type with their entries in the change log, in one statement. The bodies are sent as
 * parameters, so the caller limits their size (`inGroups`). Throws ChangedByOthers if an updated record is no longer at
 * the version that was read, 403 if the records exceed the tenant's quota, and the database's error (23505) if a unique
 * value is taken.
 */
export function store(context: StoreContext, changes: Changes): Promise<Written> {
  const informed = participantsIn(context, "afterStored");
  if (informed.length === 0) return write(context, changes);
  const { scope } = context;
  const writeAndInform = async (within: Scope<Tx>): Promise<Written> => {
    const inside = { ...context, scope: within };
    const written = await write(inside, changes);
    for (const inform of informed) await inform(inside, changes);
    return written;
  };
  return isInTx(scope)
    ? writeAndInform(scope)
    : transaction(scope.db, (db) => writeAndInform({ ...scope, db }));
}

async function write(context: StoreContext, changes: Changes): Promise<Written> {
  const { scope } = context;
  if (changes.records.length === 0) return { count: 0, body: NO_BODY };
  const { statement, growth } = prepared(context, changes);
  const rows = await growing(scope, growth, () => runRaw(scope.db, statement));
  if (changes.kind === "updated" && rows.count !== changes.records.length) {
    throw new ChangedByOthers();
  }
  return { count: rows.count, body: rows[0]?.column(0) ?? NO_BODY };
}

interface Prepared {
  readonly statement: ReturnType<ReturnType<typeof insertOne>>;
  readonly growth: () => Growth;
}

function prepared({ scope, type, deps }: StoreContext, changes: Changes): Prepared {
  switch (changes.kind) {
    case "created": {
      const shared = { scope, action: "created" };
      const many = changes.records.map((record) => inputOf(type, deps.makeId, record));
      const [one] = many;
      // Inserting a list with one record would cost twice as much.
      const isOne = many.length === 1 && one !== undefined;
      return {
        statement: isOne
          ? insertOne(type)({ ...shared, ...one })
          : insertMany(type)({ ...shared, many }),
        growth: () => newRecords(many),
      };
    }
    case "updated": {
      const { action, keepsUpdated = false, hasNewStatus = false } = changes;
      const shared = { scope, action, keepsUpdated, hasNewStatus };
      const many = changes.records.map((record) => updateOf(type, deps.makeId, record));
      const [one] = many;
      const isOne = many.length === 1 && one !== undefined;
      return {
        statement: isOne
          ? updateOne(type)({ ...shared, ...one })
          : updateMany(type)({ ...shared, many }),
        growth: () => changeRows(many),
      };
    }
    case "restored": {
      const many = changes.records.map((record) => updateOf(type, deps.makeId, record));
      return {
        statement: restoreMany(type)({ scope, action: "restored", many }),
        growth: () => newRecords(many),
      };
    }
    case "deleted": {
      const { action, records } = changes;
      const ids = records.map(({ id }) => id);
      const fields = JSON.stringify(changes.fields);
      return {
        statement: remove(type)({ scope, action, ids, changeIds: ids.map(deps.makeId), fields }),
        growth: () => ({ records: -ids.length, bytes: 0 }),
      };
    }
  }
}

/** Returns the storage that new records and their change rows will use. */
const newRecords = (many: readonly WriteInput[]): Growth => ({
  records: many.length,
  bytes: many.reduce((sum, one) => sum + bytesOf(one), 0),
});

/** Returns the approximate size of a record and its change row. */
function bytesOf({ head, internal, fields, texts }: WriteInput): number {
  let bytes = 2 * ROW_bytes + head.length + fields.length + (internal?.length ?? 0);
  for (const text of texts) bytes += text?.length ?? 0;
  return bytes;
}

/** Returns the additional storage that updates will use, which is the size of their change rows. */
const changeRows = (many: readonly WriteInput[]): Growth => ({
  records: 0,
  bytes: many.reduce((sum, { fields }) => sum + ROW_bytes + fields.length, 0),
});
