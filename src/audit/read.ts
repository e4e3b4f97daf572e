/** Reading the table of changes: a tenant's audit, newest first, or one record's history. */

import sql from "sql-template-tag";
import { type Db, run } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import {
  type Given,
  type Page,
  PAGE_PARAMETERS,
  pageOf,
  type Parameters,
  type Schema,
  sliceOf,
} from "../platform/validation/index.ts";
import type { ChangedFields, Scope, TenantId } from "./scope.ts";

export const AUDIT_PARAMETERS = {
  subject_type: { kind: "text", max: 50, description: "lead, deal, access_token, tenant …" },
  subject_id: { kind: "text", max: 100, description: "The id of what was changed." },
  action: { kind: "text", max: 50, description: "created, updated, deleted, revealed …" },
  actor_id: {
    kind: "text",
    max: 100,
    description: "The id of the token, person or partner that acted.",
  },
  start_date: { kind: "instant", description: "The first second, in UTC." },
  end_date: { kind: "instant", description: "The last second, in UTC." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export type AuditQuery = Partial<Given<typeof AUDIT_PARAMETERS>>;

/** A page of entries, newest first, and the cursor of the next where there is one. */
export async function readChanges(
  db: Db,
  tenantId: TenantId,
  query: AuditQuery,
): Promise<Page<Entry>> {
  const slice = sliceOf(query);
  const { subject_type, subject_id, action, actor_id, start_date, end_date } = query;
  const rows = await run(db)`
    select id, at, subject_type, subject_id, action, version,
           actor_kind, actor_id, actor_name, fields, request_id
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

/** A change of a record, as far as its next reader asks. */
export interface PastChange {
  readonly action: string;
  readonly fields: ChangedFields;
}

/** The changes that made the versions after one of a record, in no order. */
export const changesSince = (
  { db, tenantId }: Scope,
  { subjectType, subjectId }: { readonly subjectType: string; readonly subjectId: string },
  version: number,
): Promise<readonly PastChange[]> =>
  run<PastChange[]>(db)`
    select action, fields from changes
     where tenant_id = ${tenantId} and subject_type = ${subjectType}
       and subject_id = ${subjectId} and version > ${version}`;

type Entry = JsonObject & { readonly id: string };

function entryOf(row: Readonly<Record<string, unknown>>): Entry {
  const fields = row["fields"] as Readonly<Record<string, readonly [never, never]>>;
  return {
    id: row["id"] as string,
    at: (row["at"] as Date).toISOString(),
    subject_type: row["subject_type"] as string,
    subject_id: row["subject_id"] as string,
    action: row["action"] as string,
    version: row["version"] as number | null,
    actor: {
      kind: row["actor_kind"] as string,
      id: row["actor_id"] as string,
      name: row["actor_name"] as string,
    },
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [old, now]]) => [name, { old, new: now }]),
    ),
    request_id: row["request_id"] as string | null,
  };
}

/** Who acted, as it is told. */
export const ACTOR_SCHEMA = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["token", "person", "partner", "service"] },
    id: { type: "string" },
    name: { type: "string" },
  },
  required: ["kind", "id", "name"],
} as const satisfies Schema;

/** What an entry looks like. */
export const CHANGE_SCHEMA: Schema = {
  type: "object",
  properties: {
    id: { type: "string" },
    at: { type: "string", format: "date-time" },
    subject_type: { type: "string" },
    subject_id: { type: "string" },
    action: { type: "string" },
    version: { type: ["integer", "null"] },
    actor: ACTOR_SCHEMA,
    fields: {
      type: "object",
      description: "The fields that changed, each with its old and its new value.",
      additionalProperties: {
        type: "object",
        properties: { old: {}, new: {} },
        required: ["old", "new"],
      },
    },
    request_id: { type: ["string", "null"] },
  },
  required: ["id", "at", "subject_type", "subject_id", "action", "version", "actor", "fields"],
};
