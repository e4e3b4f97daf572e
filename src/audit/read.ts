/** Reading the table of changes: a tenant's audit, newest first, or one record's history. */

import type { Db } from "../platform/db.ts";
import { ValidationError } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import type { Given, Parameters } from "../platform/parameters.ts";
import type { Schema } from "../platform/validation.ts";
import type { TenantId } from "./index.ts";

export const PAGE_PARAMETERS = {
  page_size: { kind: "integer", min: 1, max: 500, fallback: 50, description: "Entries of a page." },
  page_num: { kind: "integer", min: 1, fallback: 1, description: "Which page, from 1." },
  cursor: {
    kind: "text",
    max: 100,
    description: 'Goes on where a page ended: taken from its Link header, rel="next".',
  },
} as const satisfies Parameters;

export const AUDIT_PARAMETERS = {
  subject_type: { kind: "text", max: 50, description: "lead, deal, access_token, tenant …" },
  subject_id: { kind: "text", max: 100, description: "The id of what was changed." },
  action: { kind: "text", max: 50, description: "created, updated, deleted, revealed …" },
  actor_id: { kind: "text", max: 100, description: "The id of the token that acted." },
  start_date: { kind: "instant", description: "The first second, in UTC." },
  end_date: { kind: "instant", description: "The last second, in UTC." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export type AuditQuery = Partial<Given<typeof AUDIT_PARAMETERS>>;

const PAGE_SIZE = 50;

/** A page of entries, newest first, and the cursor of the next where there is one. */
export async function readChanges(
  db: Db,
  tenantId: TenantId,
  query: AuditQuery,
): Promise<{ readonly entries: readonly JsonObject[]; readonly next?: string }> {
  refuseTwoPlaces(query);
  const size = query.page_size ?? PAGE_SIZE;
  const { subject_type, subject_id, action, actor_id, start_date, end_date, cursor } = query;
  const offset = cursor === undefined ? ((query.page_num ?? 1) - 1) * size : 0;
  const rows = await db`
    select id, at, subject_type, subject_id, action, version,
           actor_kind, actor_id, actor_name, fields, request_id
      from changes
     where tenant_id = ${tenantId}
       ${subject_type === undefined ? db`` : db`and subject_type = ${subject_type}`}
       ${subject_id === undefined ? db`` : db`and subject_id = ${subject_id}`}
       ${action === undefined ? db`` : db`and action = ${action}`}
       ${actor_id === undefined ? db`` : db`and actor_id = ${actor_id}`}
       ${start_date === undefined ? db`` : db`and at >= to_timestamp(${start_date})`}
       ${end_date === undefined ? db`` : db`and at < to_timestamp(${end_date + 1})`}
       ${cursor === undefined ? db`` : db`and id < ${cursor}`}
     order by id desc
     limit ${size + 1} offset ${offset}`;
  const entries = rows.slice(0, size).map(entryOf);
  const last = rows[size - 1];
  return rows.length > size ? { entries, next: last?.["id"] as string } : { entries };
}

/** A cursor knows its place, and page_num names another (D5.3). */
function refuseTwoPlaces({ cursor, page_num }: AuditQuery): void {
  if (cursor === undefined || page_num === undefined) return;
  const msg = "Value error, page_num cannot be given with a cursor, which knows its place";
  throw new ValidationError([
    { type: "value_error", loc: ["query", "page_num"], msg, input: page_num },
  ]);
}

function entryOf(row: Readonly<Record<string, unknown>>): JsonObject {
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
    actor: {
      type: "object",
      properties: {
        kind: { type: "string", enum: ["token", "partner", "service"] },
        id: { type: "string" },
        name: { type: "string" },
      },
      required: ["kind", "id", "name"],
    },
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
