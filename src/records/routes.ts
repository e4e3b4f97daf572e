/** Every operation of every record type. A new type needs no code here. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { PAGE_PARAMETERS, readChanges } from "../audit/index.ts";
import { grants, scopeOf, type Caller } from "../access/index.ts";
import { epochSeconds } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import { cutWhenStalled } from "../platform/http.ts";
import { isId } from "../platform/ids.ts";
import type { JsonObject } from "../platform/json.ts";
import { linkNext } from "../platform/link.ts";
import type { BodyShape, Operation } from "../platform/operation.ts";
import type { Parameters } from "../platform/parameters.ts";
import { checker, type Schema } from "../platform/validation.ts";
import {
  checkConversion,
  convertLead,
  CONVERT_ANSWER,
  CONVERT_SCHEMA,
  type ConvertChecks,
} from "./convert.ts";
import type { Listing, RecordType } from "./define.ts";
import { countRecords, joinBodies, readPage, streamAll } from "./listing.ts";
import { meaningfulInput, patchRecord } from "./patch.ts";
import { LIST_PARAMETERS, planList, type ListPlan, type ListQuery } from "./plan.ts";
import { removeTask } from "./remove-task.ts";
import { revealSsn } from "./reveal.ts";
import { recordRules } from "./rules.ts";
import { checkedSchema, requestSchema, responseSchema, type Purpose } from "./schemas.ts";
import { findBody } from "./store.ts";
import { RECORD_TYPES, recordTypes } from "./types/index.ts";
import { createRecord, type Author, type WriteDeps } from "./write.ts";

export interface RecordsDeps extends WriteDeps {
  readonly db: Database;
  /** After how long a reader who takes nothing of a stream is cut (D5.2). */
  readonly stall_ms?: number | undefined;
}

const STALL_ms = 60_000;

type RecordOperation = Operation<Caller>;

/** The schemas that openapi.json prints by name (D11.4). */
export function recordSchemas(): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = { LeadConvertRequest: CONVERT_SCHEMA };
  for (const type of recordTypes) {
    for (const schema of [
      requestSchema(type, "create"),
      requestSchema(type, "patch"),
      responseSchema(type),
    ]) {
      schemas[schema["title"] as string] = schema;
    }
    if (type.envelope !== undefined) {
      schemas[`${type.schemaName}ResponseList`] = envelopeSchema(type, type.envelope);
    }
  }
  return schemas;
}

const envelopeSchema = (type: RecordType, envelope: string): Schema => ({
  title: `${type.schemaName}ResponseList`,
  type: "object",
  properties: {
    [envelope]: { type: "array", items: { $ref: `${type.schemaName}Response#` } },
    page_size: { type: "integer" },
    page_num: { type: "integer" },
  },
  required: [envelope, "page_size", "page_num"],
});

/** The operations of spec 4.1–4.7 on records, with those that D3.10, D3.11 and D7 add. */
export function recordOperations(deps: RecordsDeps): readonly RecordOperation[] {
  const compile = checker(recordRules(deps.clock));
  const shapeOf = (type: RecordType, purpose: Purpose): BodyShape => ({
    name: `${type.schemaName}${purpose === "create" ? "" : "Update"}Request`,
    schema: requestSchema(type, purpose),
    check: compile(checkedSchema(type, purpose)),
    ...(purpose === "patch" && {
      isEmpty: (body: JsonObject) => Object.keys(meaningfulInput(type, body)).length === 0,
    }),
  });
  return [
    ...recordTypes.flatMap((type) => [
      ...Object.entries(type.lists).map(([name, listing]) => listOf(deps, type, name, listing)),
      createOf(deps, type, shapeOf(type, "create")),
      patchOf(deps, type, shapeOf(type, "patch")),
      ...type.readPaths.map((path) => readOf(deps, type, path)),
      ...type.readPaths.map((path) => historyOf(deps, type, path)),
    ]),
    convertOf(
      deps,
      {
        account: compile(checkedSchema(RECORD_TYPES.account, "create")),
        deal: compile(checkedSchema(RECORD_TYPES.deal, "create")),
      },
      { name: "LeadConvertRequest", schema: CONVERT_SCHEMA, check: compile(CONVERT_SCHEMA) },
    ),
    deleteTaskOf(deps),
  ];
}

const authorOf = ({ tenant, person }: Caller): Author => ({
  country: tenant.default_country,
  person,
});

const recordRef = (type: RecordType): Schema => ({ $ref: `${type.schemaName}Response#` });

const idPath = (name: string, type: RecordType) =>
  ({ [name]: { kind: "text", max: 100, description: `The _id of a ${type.name}.` } }) as const;

/** The id in a path. What is no id of ours names no record (D2.2). */
export function idIn(path: Readonly<Record<string, unknown>>, name: string): string {
  const id = String(path[name]);
  if (!isId(id)) throw new AppError("not_found");
  return id;
}

/** `deals` of "/crm/deals": what operations on that path are called by. */
const wordOf = (path: string): string => path.split("/")[2] ?? "";
const singular = (word: string): string =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);

function listOf(
  deps: RecordsDeps,
  type: RecordType,
  name: string,
  listing: Listing,
): RecordOperation {
  const envelope = name === "all" ? type.envelope : undefined;
  const window =
    listing.windowHours === undefined
      ? ""
      : ` of the last ${listing.windowHours} h by ${listing.on}`;
  return {
    method: "GET",
    url: listing.path,
    id: `list_${wordOf(listing.path)}${name === "all" ? "" : `_${name}`}`,
    summary: `List ${wordOf(listing.path)}${window}`,
    tag: type.table,
    permission: "records:read",
    query: LIST_PARAMETERS,
    answer:
      envelope === undefined
        ? { type: "array", items: recordRef(type) }
        : { $ref: `${type.schemaName}ResponseList#` },
    run: async ({ caller, query, request, reply }) => {
      const plan = planList({
        type,
        listing,
        query: query as ListQuery,
        country: caller.tenant.default_country,
        now_s: epochSeconds(deps.clock),
      });
      return answerList(deps, caller, plan, envelope, request, reply);
    },
  };
}

async function answerList(
  { db, stall_ms = STALL_ms }: RecordsDeps,
  caller: Caller,
  plan: ListPlan,
  envelope: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const scope = scopeOf(db.lists, caller);
  if (/\bcount=exact\b/.test(String(request.headers["prefer"] ?? ""))) {
    reply.header("x-total-count", await countRecords(scope, plan));
    reply.header("preference-applied", "count=exact");
  }
  reply.type("application/json");
  if (plan.pageSize === undefined) {
    const stream = await streamAll(scope, plan);
    cutWhenStalled(reply, stall_ms);
    return stream;
  }
  const { bodies, next } = await readPage(scope, plan);
  linkNext(request, reply, next);
  return envelope === undefined
    ? joinBodies("[", bodies, "]")
    : joinBodies(
        `{"${envelope}":[`,
        bodies,
        `],"page_size":${plan.pageSize},"page_num":${plan.page}}`,
      );
}

function createOf(deps: RecordsDeps, type: RecordType, body: BodyShape): RecordOperation {
  const word = singular(wordOf(type.writePath));
  return {
    method: "POST",
    url: type.writePath,
    id: `create_${word}`,
    summary: `Create a ${word}`,
    tag: type.table,
    permission: "records:write",
    body,
    answer: recordRef(type),
    run: async ({ caller, body: input }) =>
      createRecord(scopeOf(deps.db.sql, caller), deps, authorOf(caller), type, input),
  };
}

function patchOf(deps: RecordsDeps, type: RecordType, body: BodyShape): RecordOperation {
  const word = singular(wordOf(type.writePath));
  return {
    method: "PATCH",
    url: `${type.writePath}/:${type.idName}`,
    id: `update_${word}`,
    summary: `Change a ${word}; fields that are not sent stay as they are`,
    tag: type.table,
    permission: "records:write",
    path: idPath(type.idName, type),
    body,
    answer: recordRef(type),
    run: async ({ caller, path, body: input }) =>
      patchRecord(
        scopeOf(deps.db.sql, caller),
        deps,
        authorOf(caller),
        type,
        idIn(path, type.idName),
        input,
      ),
  };
}

const REVEAL: Parameters = {
  reveal: {
    kind: "choice",
    of: ["ssn"],
    description: "Shows the number whole. Needs the permission ssn:read; leaves an audit entry.",
  },
};

function readOf(deps: RecordsDeps, type: RecordType, path: string): RecordOperation {
  const hasSecret = type.fields["ssn"] !== undefined;
  return {
    method: "GET",
    url: `${path}/:${type.idName}`,
    id: `get_${singular(wordOf(path))}`,
    summary: `Read one ${singular(wordOf(path))}`,
    tag: type.table,
    permission: "records:read",
    path: idPath(type.idName, type),
    ...(hasSecret ? { query: REVEAL } : { query: {} }),
    answer: recordRef(type),
    run: async ({ caller, path: names, query }) => {
      const id = idIn(names, type.idName);
      const scope = scopeOf(deps.db.sql, caller);
      if (query["reveal"] !== undefined) {
        if (!grants(caller.permissions, "ssn:read")) throw lacking("ssn:read");
        return revealSsn(scope, deps, type, id);
      }
      const body = await findBody(scope, type, id);
      if (body === undefined) throw new AppError("not_found");
      return body;
    },
  };
}

const lacking = (permission: string): AppError =>
  new AppError("not_permitted", { detail: `This token lacks the permission ${permission}` });

function historyOf(deps: RecordsDeps, type: RecordType, path: string): RecordOperation {
  return {
    method: "GET",
    url: `${path}/:${type.idName}/history`,
    id: `get_${singular(wordOf(path))}_history`,
    summary: `What changed in a ${singular(wordOf(path))}, newest first`,
    tag: type.table,
    permission: "records:read",
    path: idPath(type.idName, type),
    query: PAGE_PARAMETERS,
    answer: { type: "array", items: { $ref: "Change#" } },
    run: async ({ caller, path: names, query, request, reply }) => {
      const id = idIn(names, type.idName);
      if ((await findBody(scopeOf(deps.db.sql, caller), type, id)) === undefined) {
        throw new AppError("not_found");
      }
      const { entries, next } = await readChanges(deps.db.sql, caller.tenant.id, {
        ...query,
        subject_type: type.name,
        subject_id: id,
      });
      linkNext(request, reply, next);
      return entries;
    },
  };
}

function convertOf(deps: RecordsDeps, checks: ConvertChecks, body: BodyShape): RecordOperation {
  const { lead } = RECORD_TYPES;
  return {
    method: "POST",
    url: "/crm/leads/:lead_id/convert",
    id: "convert_lead",
    summary: "Make a contact of a lead; a second call answers the same ids",
    tag: lead.table,
    permission: "records:write",
    path: idPath("lead_id", lead),
    body,
    bodyOptional: true,
    answer: CONVERT_ANSWER,
    run: async ({ caller, path, body: input }) => {
      checkConversion(input, checks);
      const scope = scopeOf(deps.db.sql, caller);
      return convertLead(scope, deps, authorOf(caller), idIn(path, "lead_id"), input);
    },
  };
}

function deleteTaskOf(deps: RecordsDeps): RecordOperation {
  const { task } = RECORD_TYPES;
  return {
    method: "DELETE",
    url: "/crm/tasks/:task_id",
    id: "delete_task",
    summary: "Delete a task",
    tag: task.table,
    permission: "records:write",
    path: idPath("task_id", task),
    answer: {
      type: "object",
      properties: {
        deleted: { type: "boolean" },
        ids: { type: "array", items: { type: "string" } },
      },
      required: ["deleted", "ids"],
    },
    run: async ({ caller, path }) => {
      const id = idIn(path, "task_id");
      await removeTask(scopeOf(deps.db.sql, caller), deps, id);
      return { deleted: true, ids: [id] };
    },
  };
}
