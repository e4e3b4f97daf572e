/** All operations on all record types. A new type needs no code here. */

import { once } from "../../platform/cache/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { type BodyShape, bodyShape } from "../../platform/operations/index.ts";
import { ConcurrencyLimit } from "../../platform/http/index.ts";
import { checker, type Schema } from "../../platform/validation/index.ts";
import { described, objectSchema } from "../../platform/schemas/index.ts";
import { PAGE_SCHEMAS } from "../../platform/paging/index.ts";
import { BATCH_RESULTS, batchOf, batchSchema, batchShape, putByKeyOf } from "./batch-routes.ts";
import { CONVERT_SCHEMA, meaningfulInput } from "../write/index.ts";
import { type RecordType, type RecordTypes } from "../types/index.ts";
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
export function recordSchemas(types: RecordTypes): Readonly<Record<string, Schema>> {
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
  for (const type of Object.values(types)) {
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
  const types: readonly RecordType[] = Object.values(deps.types);
  const compile = checker(recordRules(deps.clock));
  const bodies = (purpose: Purpose) =>
    once((type: RecordType): BodyShape => ({
      name: requestName(type, purpose),
      schema: requestSchema(type, purpose),
      check: compile(checkedSchema(type, purpose)),
      ...(purpose === "patch" && {
        isEmpty: (body: JsonObject) => Object.keys(meaningfulInput(type, body)).length === 0,
      }),
    }));
  const created = bodies("create");
  const put = bodies("put");
  const patched = bodies("patch");
  const checkOf = (type: RecordType) => created(type).check;
  const batchFor = (type: RecordType) => batchShape(compile, type);
  const writesOf = (type: RecordType) => [
    createOf(deps, type, created),
    batchOf(deps, type, batchFor, checkOf),
    ...keyKinds(type).map((kind) => putByKeyOf(deps, type, kind, { bodyFor: put, checkOf })),
    patchOf(deps, type, patched),
  ];
  const mergeShapes = {
    merge: bodyShape(MERGE_REQUEST, compile),
    undo: bodyShape(UNDO_REQUEST, compile),
  };
  const windows = new ConcurrencyLimit("windows", WINDOWS);
  const summaries = new ConcurrencyLimit("summaries", SUMMARIES);
  return [
    ...types.flatMap((type) => [
      ...Object.entries(type.lists).map((named) => listOf(deps, type, named, windows)),
      ...summariesOf(deps, type, summaries),
      ...writesOf(type),
      ...type.readPaths.map((path) => readOf(deps, type, path)),
      ...type.readPaths.map((path) => historyOf(deps, type, path)),
    ]),
    convertOf(deps, checkOf, bodyShape(CONVERT_SCHEMA, compile)),
    ...types.filter(({ isDeletable }) => isDeletable).map((type) => deleteOf(deps, type)),
    ...types
      .filter(({ sameBy }) => sameBy !== undefined)
      .flatMap((type) => mergeOperations(deps, type, mergeShapes)),
    ...fieldOperations(),
  ];
}
