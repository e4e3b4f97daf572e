/** Every operation of every record type. A new type needs no code here. */

import type { JsonObject } from "../platform/json.ts";
import type { BodyShape } from "../platform/operation.ts";
import { checker, type Schema } from "../platform/validation.ts";
import { CONVERT_SCHEMA } from "./convert.ts";
import type { RecordType } from "./define.ts";
import { MERGE_REQUEST } from "./merge.ts";
import { mergeOperations } from "./merge-routes.ts";
import { MERGE_SCHEMA } from "./merges.ts";
import type { RecordOperation, RecordsDeps } from "./operation-parts.ts";
import { meaningfulInput } from "./patch.ts";
import { historyOf, listOf, readOf } from "./read-routes.ts";
import { recordRules } from "./rules.ts";
import { checkedSchema, requestSchema, responseSchema, type Purpose } from "./schemas.ts";
import { RECORD_TYPES, recordTypes } from "./types/index.ts";
import { convertOf, createOf, deleteTaskOf, patchOf } from "./write-routes.ts";

/** The schemas that openapi.json prints by name (D11.4). */
export function recordSchemas(): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = {
    LeadConvertRequest: CONVERT_SCHEMA,
    MergeRequest: MERGE_REQUEST,
    Merge: MERGE_SCHEMA,
  };
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
  const mergeShape = { name: "MergeRequest", schema: MERGE_REQUEST, check: compile(MERGE_REQUEST) };
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
    ...recordTypes
      .filter(({ sameBy }) => sameBy !== undefined)
      .flatMap((type) => mergeOperations(deps, type, mergeShape)),
  ];
}
