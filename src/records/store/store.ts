/** The only function that writes records. It chooses the statement for the changes, and runs it within the quota. */

import { growing, type Growth, isInTx, ROW_bytes, type Scope } from "../../audit/index.ts";
import { type Compose, runRaw, transaction, type Tx } from "../../platform/database/index.ts";
import { ChangedByOthers } from "../../platform/failed-statements/index.ts";
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
  readonly statement: ReturnType<Compose<object>>;
  readonly growth: () => Growth;
}

function prepared({ scope, type, deps }: StoreContext, changes: Changes): Prepared {
  switch (changes.kind) {
    case "created": {
      const shared = { scope, action: "created" };
      const many = changes.records.map((record) => inputOf(type, deps.makeId, record));
      // Inserting a list with one record would cost twice as much.
      const statement = oneOrMany(insertOne(type), insertMany(type), shared, many);
      return { statement, growth: () => growthOf(many, true) };
    }
    case "updated": {
      const { action, keepsUpdated = false, hasNewStatus = false } = changes;
      const shared = { scope, action, keepsUpdated, hasNewStatus };
      const many = changes.records.map((record) => updateOf(type, deps.makeId, record));
      const statement = oneOrMany(updateOne(type), updateMany(type), shared, many);
      return { statement, growth: () => growthOf(many, false) };
    }
    case "restored": {
      const many = changes.records.map((record) => updateOf(type, deps.makeId, record));
      const statement = restoreMany(type)({ scope, action: "restored", many });
      return { statement, growth: () => growthOf(many, true) };
    }
    case "deleted": {
      const { action, records } = changes;
      const ids = records.map(({ id }) => id);
      const fields = JSON.stringify(changes.fields);
      const changeIds = ids.map(deps.makeId);
      const statement = remove(type)({ scope, action, ids, changeIds, fields });
      return { statement, growth: () => ({ records: -ids.length, bytes: 0 }) };
    }
  }
}

function oneOrMany<S extends object, I extends WriteInput>(
  one: Compose<S & I>,
  several: Compose<S & { readonly many: readonly I[] }>,
  shared: S,
  many: readonly I[],
): ReturnType<Compose<object>> {
  const [only] = many;
  const isOne = only !== undefined && many.length === 1;
  return isOne ? one({ ...shared, ...only }) : several({ ...shared, many });
}

/** Returns the approximate storage that new records and their change rows, or only change rows, will use. */
function growthOf(many: readonly WriteInput[], isNew: boolean): Growth {
  let bytes = 0;
  for (const { head, internal, fields, texts } of many) {
    bytes += ROW_bytes + fields.length;
    if (!isNew) continue;
    bytes += ROW_bytes + head.length + (internal?.length ?? 0);
    for (const text of texts) bytes += text?.length ?? 0;
  }
  return { records: isNew ? many.length : 0, bytes };
}
