/** All operations on all record types. A new type needs no code here. */

import type { JsonObject } from "../../platform/json/index.ts";
import { type BodyShape, bodyShape } from "../../platform/operations/index.ts";
import { ConcurrencyLimit } from "../../platform/http/index.ts";
import { checker, type Schema } from "../../platform/validation/index.ts";
import { described, objectSchema } from "../../platform/schemas/index.ts";
import { PAGE_SCHEMAS } from "../../platform/paging/index.ts";
import { BATCH_RESULTS, batchOf, batchSchema, batchShape, putByKeyOf } from "./batch-routes.ts";
import { CONVERT_SCHEMA, meaningfulInput } from "../write/index.ts";
import { RECORD_TYPES, type RecordType, recordTypes } from "../types/index.ts";
import type { Purpose } from "../kinds/index.ts";
import { keyKinds } from "../keys/index.ts";
import { MERGE_REQUEST, MERGE_SCHEMA, UNDO_REQUEST } from "../merge/index.ts";
import { DEFINITION_SCHEMAS, fieldOperations } from "./fields-routes.ts";
import { mergeOperations } from "./merge-routes.ts";
import type { RecordOperation, RecordsDeps } from "./record-operation.ts";
import { historyOf, listOf, readOf } from "./read-routes.ts";
import {
  checkedSchema,
  requestName,
  requestSchema,
  responseSchema,
  printedRequest,
  REPEATED_SCHEMAS,
  recordRules,
} from "../schemas/index.ts";
import { SUMMARY_SCHEMA } from "../list/index.ts";
import { summariesOf } from "./summary-routes.ts";
import { convertOf, createOf, deleteOf, patchOf } from "./write-routes.ts";

const PURPOSES = ["create", "patch", "put"] as const;

/** Returns the schemas of record operations, keyed by their names in openapi.json. */
export function recordSchemas(): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = {
    LeadConvertRequest: CONVERT_SCHEMA,
    BatchResults: BATCH_RESULTS,
    MergeRequest: MERGE_REQUEST,
    MergeUndoRequest: UNDO_REQUEST,
    Merge: MERGE_SCHEMA,
    RecordSummary: SUMMARY_SCHEMA,
    ...DEFINITION_SCHEMAS,
    ...REPEATED_SCHEMAS,
  };
  for (const type of recordTypes) {
    for (const purpose of PURPOSES) {
      schemas[requestName(type, purpose)] = printedRequest(type, purpose);
    }
    for (const schema of [batchSchema(type), responseSchema(type)]) schemas[schema.title] = schema;
    if (type.envelope !== undefined) {
      schemas[`${type.schemaName}ResponseList`] = envelopeSchema(type, type.envelope);
    }
  }
  return schemas;
}

/** The maximum number of concurrent summaries, and of concurrent windows without paging. */
const WINDOWS = { credential: 20, tenant: 50, process: 200 };
const SUMMARIES = { credential: 10, tenant: 20, process: 100 };

const envelopeSchema = ({ schemaName, table }: RecordType, envelope: string): Schema => ({
  title: `${schemaName}ResponseList`,
  ...objectSchema({
    [envelope]: described(
      { type: "array", items: { $ref: `${schemaName}Response#` } },
      `The ${table} of the page.`,
    ),
    ...PAGE_SCHEMAS,
  }),
});

/** Returns the operations on records, in the order of docs/records.md. */
export function recordOperations(deps: RecordsDeps): readonly RecordOperation[] {
  const compile = checker(recordRules(deps.clock));
  const shapeOf = (type: RecordType, purpose: Purpose): BodyShape => ({
    name: requestName(type, purpose),
    schema: requestSchema(type, purpose),
    check: compile(checkedSchema(type, purpose)),
    ...(purpose === "patch" && {
      isEmpty: (body: JsonObject) => Object.keys(meaningfulInput(type, body)).length === 0,
    }),
  });
  const writesOf = (type: RecordType) => {
    const create = shapeOf(type, "create");
    const shapes = { body: shapeOf(type, "put"), check: create.check };
    return [
      createOf(deps, type, create),
      batchOf(deps, type, batchShape(compile, type), create.check),
      ...keyKinds(type).map((kind) => putByKeyOf(deps, type, kind, shapes)),
      patchOf(deps, type, shapeOf(type, "patch")),
    ];
  };
  const mergeShapes = {
    merge: bodyShape(MERGE_REQUEST, compile),
    undo: bodyShape(UNDO_REQUEST, compile),
  };
  const windows = new ConcurrencyLimit("windows", WINDOWS);
  const summaries = new ConcurrencyLimit("summaries", SUMMARIES);
  return [
    ...recordTypes.flatMap((type) => [
      ...Object.entries(type.lists).map((named) => listOf(deps, type, named, windows)),
      ...summariesOf(deps, type, summaries),
      ...writesOf(type),
      ...type.readPaths.map((path) => readOf(deps, type, path)),
      ...type.readPaths.map((path) => historyOf(deps, type, path)),
    ]),
    convertOf(
      deps,
      {
        account: compile(checkedSchema(RECORD_TYPES.account, "create")),
        deal: compile(checkedSchema(RECORD_TYPES.deal, "create")),
      },
      bodyShape(CONVERT_SCHEMA, compile),
    ),
    ...recordTypes.filter(({ isDeletable }) => isDeletable).map((type) => deleteOf(deps, type)),
    ...recordTypes
      .filter(({ sameBy }) => sameBy !== undefined)
      .flatMap((type) => mergeOperations(deps, type, mergeShapes)),
    ...fieldOperations(),
  ];
}
