/** Operations that write many records, and operations that identify records by a key. */

import { becomeBulk } from "../../platform/admission/index.ts";
import { bodyShape, operation } from "../../platform/operations/index.ts";
import type { Check, Parameters, Schema } from "../../platform/validation/index.ts";
import { bodySchema, boolean, integer, string } from "../../platform/schemas/index.ts";
import {
  hasAddresses,
  checkItems,
  keyIssues,
  KEY_NAMES,
  type KeyKind,
  putByKey,
  writeBatch,
} from "../keys/index.ts";
import { aNoun, type RecordType } from "../types/index.ts";
import {
  ON_DUPLICATE_PARAMETER,
  nounOf,
  onDuplicateOf,
  RESULT_HEADER,
  answering,
  partsFor,
  sendWritten,
  typeFor,
  wordOf,
  writerOf,
  writing,
  type RecordOperation,
  type RecordsDeps,
} from "./record-operation.ts";
import type { BodyFor } from "./write-routes.ts";

const ITEMS_MAX = 1000;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/** The keys in paths. Each has the same maximum length as its field. */
const KEY_PATHS = {
  email: { kind: "text", max: 254, description: "The email. It is not case-sensitive." },
  phone: {
    kind: "text",
    max: 50,
    description: "The phone number, compared by its digits including the country code.",
  },
  external_id: { kind: "text", max: 200, description: "The record's id in another system." },
} as const satisfies Readonly<Record<KeyKind, Parameters[string]>>;

/** Returns the schema of a batch. Items are checked individually, not with this schema. */
export const batchSchema = ({ schemaName }: RecordType) =>
  bodySchema(
    `${schemaName}BatchRequest`,
    {
      items: {
        type: "array",
        minItems: 1,
        maxItems: ITEMS_MAX,
        items: { $ref: `${schemaName}Request#` },
        description: "The records to create.",
      },
      atomic: boolean("All or nothing: if one item fails, nothing is written.", { default: false }),
    },
    ["items"],
  );

/** Returns the body parser of a batch. It parses and checks items one by one. */
export function batchShape(compile: (schema: Schema) => Check, type: RecordType) {
  const schema = batchSchema(type);
  const { items, atomic } = schema.properties;
  const around = { ...schema, properties: { items: { ...items, items: {} }, atomic } };
  return {
    ...bodyShape(schema, () => compile(around)),
    separate: { name: "items", max: ITEMS_MAX },
  };
}

/** The schema of the response to a batch. */
export const BATCH_RESULTS: Schema = {
  type: "array",
  items: {
    type: "object",
    required: ["index", "status"],
    properties: {
      index: integer("The position of the item in the batch, starting at 0.", { minimum: 0 }),
      status: integer("The status code that a request for this record alone would return.", {
        enum: [200, 403, 409, 422],
      }),
      _id: string("For 200: the id of the record that was created, updated or found."),
      result: string("For 200: the action taken.", {
        enum: ["created", "updated", "unchanged", "existing"],
      }),
      detail: {
        description: "Why the item failed: a list of problems for 422, otherwise a message.",
        anyOf: [{ type: "string" }, { type: "array", items: { $ref: "ValidationError#" } }],
      },
      existing_id: string("For 409: the id of the existing record."),
    },
  },
};

export function batchOf(
  deps: RecordsDeps,
  type: RecordType,
  bodyFor: (type: RecordType) => ReturnType<typeof batchShape>,
  checkOf: (type: RecordType) => Check,
): RecordOperation {
  const words = wordOf(type.writePath);
  return operation({
    ...writing(type),
    method: "POST",
    url: `${type.writePath}/batch`,
    isIdToOthers: true,
    id: `create_${words}`,
    summary: `Create many ${words}`,
    description:
      `Creates up to 1,000 ${words} and returns one result per item, in the order of the items. ` +
      "Each item succeeds or fails separately, unless you send `atomic`.",
    ...partsFor(type, (type) => ({
      ...(hasAddresses(type) && { query: ON_DUPLICATE_PARAMETER }),
      body: bodyFor(type),
    })),
    bodyLimit_bytes: BATCH_BYTES_MAX,
    status: 207,
    answer: { $ref: "BatchResults#" },
    run: async ({ caller, query, body: sent, elements, write }) => {
      becomeBulk();
      const tenantType = typeFor(caller, type);
      const onDuplicate = onDuplicateOf(tenantType, caller, query);
      const judged = await checkItems(elements(), checkOf(tenantType));
      const batch = { judged, atomic: sent.atomic ?? false, onDuplicate };
      return write((db) => writeBatch(writerOf(db, caller, deps, type), batch));
    },
  });
}

export function putByKeyOf(
  deps: RecordsDeps,
  type: RecordType,
  kind: KeyKind,
  {
    bodyFor,
    checkOf,
  }: { readonly bodyFor: BodyFor; readonly checkOf: (type: RecordType) => Check },
): RecordOperation {
  const word = nounOf(type.writePath);
  return operation({
    ...writing(type),
    method: "PUT",
    url: `${type.writePath}/by/${kind}/:${kind}`,
    id: `put_${word}_by_${kind}`,
    summary: `Create or update ${aNoun(word)} by ${KEY_NAMES[kind]}`,
    description:
      `Updates the ${word} with this ${KEY_NAMES[kind]}, or creates it if there is none. \`X-Result\` states what was ` +
      "done.",
    path: { [kind]: KEY_PATHS[kind] },
    ...partsFor(type, (type) => ({ body: bodyFor(type) })),
    bodyIssues: ({ tenant }, sent, path) => {
      const text = path[kind];
      return text === undefined ? [] : keyIssues({ kind, text }, sent, tenant.default_country);
    },
    ...answering(type),
    answerHeaders: RESULT_HEADER,
    failures: {
      404: "The key is empty.",
      409:
        "Several records have this key (`existing_ids`), or another record has a unique value " +
        "(`existing_id`).",
    },
    conditions: ["if-match", "if-none-match"],
    run: async ({ caller, path, body: input, conditions, write, reply }) => {
      const given = { kind, text: path[kind] ?? "" };
      const check = checkOf(typeFor(caller, type));
      const putting = { given, input, check, conditions };
      return write(async (db) =>
        sendWritten(reply, await putByKey(writerOf(db, caller, deps, type), putting)),
      );
    },
  });
}
