/**
 * Records that are about to be written, and the values that the writing statements take from them. Each value is a
 * function of the statement's input (platform/database/statement.ts).
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { type Actor, type ChangedFields, insertChanges, type Scope } from "../../audit/index.ts";
import type { RecordType } from "../types/index.ts";
import { type Internal, parts, type Values } from "../shape/index.ts";
import type { WriteDeps, Writer } from "./writer.ts";

/** A record to write: the body without stamps, and the contents of its change row. */
export interface RecordWrite {
  readonly id: string;
  readonly body: Values;
  readonly internal: Internal;
  readonly fields: ChangedFields;
}

/**
 * SQL for the current timestamp. The transaction gets its xid before it reads the clock (platform/database/horizon.ts).
 */
export const NOW = raw(`(select case when pg_current_xact_id() is null then null
                    else floor(extract(epoch from clock_timestamp()))::bigint end as ts) n`);

/** The input of every writing statement. */
export interface StatementInput {
  readonly scope: Scope;
  readonly action: string;
}

export const TENANT = ({ scope }: StatementInput) => scope.tenantId;
const ofActor =
  (member: keyof Actor) =>
  ({ scope }: StatementInput) =>
    scope.actor[member];

const ACTOR = {
  kind: ofActor("kind"),
  id: ofActor("id"),
  name: ofActor("name"),
  requestId: ofActor("requestId"),
};
const ACTION = ({ action }: StatementInput) => action;

/** Adds the rows of the statement's part `logging` to the change log. */
export const logged = ({ name: subjectType }: RecordType): Sql =>
  insertChanges(
    { tenantId: TENANT, actor: ACTOR, subjectType, action: ACTION },
    sql`select change_id, id, version, fields from logging`,
    raw("c.version"),
  );

/** A record in the form that the writing statements take as input. */
export interface WriteInput {
  readonly id: string;
  readonly changeId: string;
  /** The changed fields for the change row, as JSON. */
  readonly fields: string;
  /** The body without its closing brace. The statement adds the stamps and the brace. */
  readonly head: string;
  readonly internal: string | null;
  /** The values of the columns (statement-parts.ts). */
  readonly texts: readonly (string | null)[];
}

/** What the statements need to know about a writer. */
export interface StatementContext extends Pick<Writer, "scope" | "type"> {
  readonly deps: Pick<WriteDeps, "makeId">;
}

export const inputOf = (
  { deps, type }: StatementContext,
  { id, body, internal, fields }: RecordWrite,
): WriteInput => ({
  id,
  changeId: deps.makeId(),
  fields: JSON.stringify(fields),
  head: JSON.stringify(body).slice(0, -1),
  internal: Object.keys(internal).length === 0 ? null : JSON.stringify(internal),
  texts: parts(type).textsOf(body),
});

export type One = StatementInput & WriteInput;
export const ID = ({ id }: One) => id;
export const CHANGE_ID = ({ changeId }: One) => changeId;
export const FIELDS = ({ fields }: One) => fields;
export const HEAD = ({ head }: One) => head;
export const INTERNAL = ({ internal }: One) => internal;
export const textAt =
  (at: number) =>
  ({ texts }: One) =>
    texts[at];

/** Many records that are written in the same way. */
export interface Many extends StatementInput {
  readonly many: readonly WriteInput[];
}
export const each =
  <T>(of: (one: WriteInput) => T) =>
  ({ many }: Many) =>
    many.map(of);

/**
 * Separates JSON texts that are sent in one parameter. JSON contains no unescaped control characters, so it cannot
 * contain the separator.
 */
const JSON_END = "\u001e";
export const eachJson = (of: (one: WriteInput) => string) => sql`
  string_to_array(${({ many }: Many) => many.map(of).join(JSON_END)}::text, ${JSON_END})`;
