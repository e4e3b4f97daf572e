/**
 * Records that are about to be written, and the values that the writing statements take from them. Each value is a
 * function of the statement's input (platform/database/statement.ts).
 */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { type Actor, insertChanges, type Scope } from "../../audit/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import type { RecordType } from "../types/index.ts";
import { tableSql } from "./table-sql.ts";
import type { RecordWrite, Update } from "./record-changes.ts";

/**
 * SQL for the current timestamp. The transaction gets its xid before it reads the clock (audit/horizon.ts).
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
  /** The values of the columns (table-sql.ts). */
  readonly texts: readonly (string | null)[];
}

export const inputOf = (
  type: RecordType,
  makeId: MakeId,
  { id, body, internal, fields }: RecordWrite,
): WriteInput => ({
  id,
  changeId: makeId(),
  fields: JSON.stringify(fields),
  head: JSON.stringify(body).slice(0, -1),
  internal: Object.keys(internal).length === 0 ? null : JSON.stringify(internal),
  texts: tableSql(type).textsOf(body),
});

/** A changed record, with the version and stamps that were read. */
export interface UpdateInput extends WriteInput {
  readonly version: number;
  readonly created: number;
  readonly updated: number;
  readonly status: number;
}

export const updateOf = (
  type: RecordType,
  makeId: MakeId,
  { stored: { body, version }, next }: Update,
): UpdateInput => ({
  ...inputOf(type, makeId, next),
  version,
  created: Number(body["created_ts"]),
  updated: Number(body["updated_ts"]),
  status: Number(body["status_update_date"]),
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
export interface Many<I extends WriteInput = WriteInput> extends StatementInput {
  readonly many: readonly I[];
}
const each =
  <T, I extends WriteInput = WriteInput>(of: (one: I) => T) =>
  ({ many }: Many<I>) =>
    many.map(of);

/**
 * Separates JSON texts that are sent in one parameter. JSON contains no unescaped control characters, so it cannot
 * contain the separator.
 */
const JSON_END = "\u001e";
const eachJson = (of: (one: WriteInput) => string) => sql`
  string_to_array(${({ many }: Many) => many.map(of).join(JSON_END)}::text, ${JSON_END})`;

const eachUpdate = (of: (one: UpdateInput) => number) => each<number, UpdateInput>(of);

/** The version and stamps of changed records, as more parameters and columns of `input`. */
const READ_VALUES = sql`, ${eachUpdate(({ version }) => version)}::integer[],
                      ${eachUpdate(({ created }) => created)}::bigint[],
                      ${eachUpdate(({ updated }) => updated)}::bigint[],
                      ${eachUpdate(({ status }) => status)}::bigint[]`;
const READ_NAMES = raw(", old_version, old_created, old_updated, old_status");

/** Returns the parts of a statement that contain the current time, and many records as rows. */
export function inputRows(type: RecordType, { wereRead }: { readonly wereRead: boolean }): Sql {
  const { columns, names } = tableSql(type);
  const texts = columns.map((_, at) => sql`${each((one) => one.texts[at])}::text[]`);
  return sql`
    n as materialized (select ts from ${NOW}),
    input as (
      select * from unnest(${each(({ id }) => id)}::text[], ${eachJson(({ head }) => head)},
                           ${each(({ internal }) => internal)}::text[],
                           ${eachJson(({ fields }) => fields)},
                           ${each(({ changeId }) => changeId)}::text[],
                           ${join(texts)}${wereRead ? READ_VALUES : empty})
             as input(id, head, internal, fields, change_id, ${names}${wereRead ? READ_NAMES : empty})
    )`;
}
