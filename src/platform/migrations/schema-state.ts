/** The schema version of a database, and which programs can serve it. */

import { raw } from "sql-template-tag";
import { type Connection, type Db, run } from "../database/index.ts";
import { StartError } from "../errors/index.ts";
import { ownMigrations } from "./steps.ts";

/** The table of applied steps. postgrator creates and reads it. */
export const TABLE = "schema_migrations";

/** The first version with the table `schema_state`. */
export const HAS_STATE = 39;

export interface SchemaState {
  /** The last applied step. 0 if the database was never migrated. */
  readonly version: number;
  /** The schema version of the oldest program that can serve the database. */
  readonly serves_from: number;
  /** Why earlier programs cannot: the end of a sentence. */
  readonly reason: string;
  /** The release that applied the last step. */
  readonly release: string;
}

/** Reads the state. A database of a release before 0.2.0 can only be served by programs of exactly its version. */
export async function readSchemaState(db: Connection): Promise<SchemaState> {
  // Do not use to_regclass(): its result may have been cached before another process migrated the database.
  const tables = await run<{ name: string }[]>(db)`
    select relname as name from pg_class
     where relname in (${TABLE}, 'schema_state') and pg_table_is_visible(oid)`;
  const has = (table: string): boolean => tables.some(({ name }) => name === table);
  if (!has(TABLE)) return { version: 0, serves_from: 0, reason: "", release: "" };
  if (has("schema_state")) {
    const [state] = await run<SchemaState[]>(db)`
      select (select max(version)::int from ${raw(TABLE)}) as version, serves_from, reason, release
        from schema_state`;
    if (state !== undefined) return state;
  }
  const [row] = await run<{ version: number | null }[]>(db)`
    select max(version)::int as version from ${raw(TABLE)}`;
  const version = row?.version ?? 0;
  return { version, serves_from: version, reason: "its schema is older", release: "" };
}

/** Whether a program with the schema version `wanted` can serve a database. */
export const canServe = ({ version, serves_from }: SchemaState, wanted: number): boolean =>
  version >= wanted && wanted >= serves_from;

/** Compares the database with this program, for readiness checks. */
export async function migrationState(sql: Connection) {
  const state = await readSchemaState(sql);
  const wanted = ownMigrations().version;
  return { current: state.version, wanted, ready: canServe(state, wanted) };
}

/** Returns why this program cannot serve a database of a later release. */
export const readRefusal = async (sql: Connection): Promise<string> =>
  whyTooOld(await readSchemaState(sql), ownMigrations().version);

const whyTooOld = (
  { version, serves_from, reason, release }: SchemaState,
  wanted: number,
): string => {
  const migratedBy = release === "" ? "" : `, which Leadport ${release} has migrated,`;
  return (
    `The database at version ${version}${migratedBy} needs a program with schema version ` +
    `${Math.max(serves_from, wanted)} or later, but this one has version ${wanted}: ${reason}.`
  );
};

/** Returns the error for a program that is too old for a database. */
export const tooOld = (state: SchemaState, wanted: number): StartError =>
  new StartError(
    `${whyTooOld(state, wanted)} Start that release again, or restore a backup from before the upgrade ` +
      "(docs/upgrading.md, Going back).",
  );

/** Throws a StartError unless the database is complete and this program can serve it. */
export async function mustBeMigrated(sql: Db): Promise<void> {
  await mustBeComplete(sql);
  const state = await readSchemaState(sql);
  const wanted = ownMigrations().version;
  if (state.version < wanted) {
    throw new StartError(
      `The database is at version ${state.version}, but this program needs version ${wanted}. Run \`leadport migrate\`.`,
    );
  }
  if (!canServe(state, wanted)) throw tooOld(state, wanted);
}

/** The comment that marks the table of migrations while a restore into the database is incomplete. */
const UNFINISHED = "A restore into this database is incomplete.";

/** Marks a migrated database as incomplete or complete. If `db` is a transaction, the mark is set when it commits. */
export async function markIncomplete(db: Db, isIncomplete: boolean): Promise<void> {
  const comment = raw(isIncomplete ? `'${UNFINISHED}'` : "null");
  await run(db)`comment on table ${raw(TABLE)} is ${comment}`;
}

/** Throws a StartError if a restore into the database was interrupted. */
export async function mustBeComplete(sql: Db): Promise<void> {
  const [row] = await run<{ comment: string | null }[]>(sql)`
    select obj_description(oid, 'pg_class') as comment from pg_class
     where relname = ${TABLE} and pg_table_is_visible(oid)`;
  if (row?.comment !== UNFINISHED) return;
  throw new StartError(
    "A restore into this database was interrupted, so its data is incomplete. Delete the database, create a new one, " +
      "and run `leadport restore` again.",
  );
}
