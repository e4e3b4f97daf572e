/** Reads changes: a tenant's audit log, newest first, or the history of a record. */

import sql from "sql-template-tag";
import { type Db, run } from "../platform/database/index.ts";
import { namesOf } from "../platform/json/index.ts";
import type { Given, Parameters } from "../platform/validation/index.ts";
import {
  described,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { type Page, PAGE_PARAMETERS, pageOf, sliceOf } from "../platform/paging/index.ts";
import type { ChangedFields, Scope, TenantId } from "./scope.ts";

/** The schemas of the members of a change's actor. */
const ACTOR = {
  kind: string("The kind of actor that made the change.", {
    enum: ["token", "person", "partner", "service"],
  }),
  id: string("The id of the token, user or partner; for `service`, a name."),
  name: string("The name of the token, user or partner."),
} as const satisfies Schemas;

export const ACTOR_SCHEMA = objectSchema(ACTOR);

/** The old and new value of a changed field. */
export const CHANGED_FIELD_SCHEMA = objectSchema({
  old: { description: "The old value." },
  new: { description: "The new value." },
});

export const REQUEST_ID_SCHEMA = nullable(
  string("The `X-Request-Id` of the request that made the change."),
);

/** The schemas of the members of a change log entry. */
const CHANGE = {
  id: string("The id of the change."),
  at: string("When it happened.", { format: "date-time" }),
  subject_type: string("The type of the changed object."),
  subject_id: string("The id of the changed object."),
  action: string("The action taken."),
  version: nullable(integer("The version of the record after the change; null if it has none.")),
  actor: described(ACTOR_SCHEMA, "Who made the change."),
  fields: {
    type: "object",
    description: "The changed fields, each with its old and new value.",
    additionalProperties: CHANGED_FIELD_SCHEMA,
  },
  request_id: REQUEST_ID_SCHEMA,
} as const satisfies Schemas;

const { request_id: _, ...ALWAYS_THERE } = CHANGE;
export const CHANGE_SCHEMA = objectSchema(CHANGE, namesOf(ALWAYS_THERE));

interface Entry extends Members<typeof CHANGE> {}

interface Row extends Omit<Entry, "at" | "actor" | "fields"> {
  readonly at: Date;
  readonly kind: Entry["actor"]["kind"];
  readonly actor_id: string;
  readonly name: string;
  readonly fields: ChangedFields;
}

export const AUDIT_PARAMETERS = {
  subject_type: {
    kind: "text",
    max: 50,
    description: "The type of the changed object, such as `lead`, `access_token` or `tenant`.",
  },
  subject_id: { kind: "text", max: 100, description: "The id of the changed object." },
  action: {
    kind: "text",
    max: 50,
    description: "The action, such as `created`, `updated` or `revealed`.",
  },
  actor_id: {
    kind: "text",
    max: 100,
    description: "The id of the token, user or partner that acted.",
  },
  start_date: { kind: "instant", description: "Start of the range (inclusive), in UTC." },
  end_date: { kind: "instant", description: "End of the range (inclusive), in UTC." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export type AuditQuery = Partial<Given<typeof AUDIT_PARAMETERS>>;

/** Returns a page of entries, newest first, and a cursor if there is a next page. */
export async function readChanges(
  db: Db,
  tenantId: TenantId,
  query: AuditQuery,
): Promise<Page<Entry>> {
  const slice = sliceOf(query);
  const { subject_type, subject_id, action, actor_id, start_date, end_date } = query;
  const rows = await run<Row[]>(db)`
    select id, at, subject_type, subject_id, action, version, actor_kind as kind, actor_id,
           actor_name as name, fields, request_id
      from changes
     where tenant_id = ${tenantId}
       ${subject_type === undefined ? sql`` : sql`and subject_type = ${subject_type}`}
       ${subject_id === undefined ? sql`` : sql`and subject_id = ${subject_id}`}
       ${action === undefined ? sql`` : sql`and action = ${action}`}
       ${actor_id === undefined ? sql`` : sql`and actor_id = ${actor_id}`}
       ${start_date === undefined ? sql`` : sql`and at >= to_timestamp(${start_date})`}
       ${end_date === undefined ? sql`` : sql`and at < to_timestamp(${end_date + 1})`}
       ${slice.before === undefined ? sql`` : sql`and id < ${slice.before}`}
     order by id desc
     limit ${slice.limit} offset ${slice.offset}`;
  return pageOf(rows.map(entryOf), slice);
}

/** A change, reduced to its action and its fields. */
export interface PastChange {
  readonly action: string;
  readonly fields: ChangedFields;
}

/** Returns a record's changes after the given version, in no particular order. */
export const changesSince = (
  { db, tenantId }: Scope,
  { subjectType, subjectId }: { readonly subjectType: string; readonly subjectId: string },
  version: number,
): Promise<readonly PastChange[]> =>
  run<PastChange[]>(db)`
    select action, fields from changes
     where tenant_id = ${tenantId} and subject_type = ${subjectType}
       and subject_id = ${subjectId} and version > ${version}`;

const entryOf = ({ at, kind, actor_id, name, fields, ...entry }: Row): Entry => ({
  ...entry,
  at: at.toISOString(),
  actor: { kind, id: actor_id, name },
  fields: Object.fromEntries(
    Object.entries(fields).map(([field, [old, now]]) => [field, { old, new: now }]),
  ),
});
