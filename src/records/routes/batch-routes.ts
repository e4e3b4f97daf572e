/** The operations that write many records at once, and those that find what they write by a key. */

import { becomeBulk } from "../../platform/admission/index.ts";
import { type BodyShape, bodyShape, operation } from "../../platform/operations/index.ts";
import {
  bodySchema,
  type Check,
  type Parameters,
  type Schema,
} from "../../platform/validation/index.ts";
import {
  hasAddresses,
  judge,
  keyIssues,
  type KeyKind,
  putByKey,
  writeBatch,
} from "../keys/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  ON_DUPLICATE_PARAMETER,
  nounOf,
  onDuplicateOf,
  RESULT_HEADER,
  answering,
  sendWritten,
  wordOf,
  writerOf,
  writing,
  type RecordOperation,
  type RecordsDeps,
} from "./operation-parts.ts";

const ITEMS_MAX = 1000;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/** Keys as they stand in paths; no longer than the fields that hold them. */
const KEY_PATHS = {
  email: { kind: "text", max: 254, description: "An e-mail address; case does not count." },
  phone: {
    kind: "text",
    max: 50,
    description: "A number, compared by its digits with country code.",
  },
  external_id: { kind: "text", max: 200, description: "The record's id in another system." },
} as const satisfies Readonly<Record<KeyKind, Parameters[string]>>;

/** What a batch of creations takes. Its items are judged each by itself, not by this schema. */
export const batchSchema = ({ schemaName }: RecordType) =>
  bodySchema(
    `${schemaName}BatchRequest`,
    {
      items: {
        type: "array",
        minItems: 1,
        maxItems: ITEMS_MAX,
        items: { $ref: `${schemaName}Request#` },
      },
      atomic: {
        type: "boolean",
        default: false,
        description: "All or nothing: one item that cannot be taken, and nothing is written.",
      },
    },
    ["items"],
  );

/** The shape of a batch: its items are parsed and checked one by one. */
export function batchShape(compile: (schema: Schema) => Check, type: RecordType) {
  const schema = batchSchema(type);
  const { items, atomic } = schema.properties;
  const around = { ...schema, properties: { items: { ...items, items: {} }, atomic } };
  return {
    ...bodyShape(schema, () => compile(around)),
    separate: { name: "items", max: ITEMS_MAX },
  };
}

/** What a batch answers. */
export const BATCH_RESULTS: Schema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      index: { type: "integer", minimum: 0, description: "The item's place in the batch, from 0." },
      status: { type: "integer", enum: [200, 403, 409, 422] },
      _id: { type: "string", description: "With 200: the record that the item made or met." },
      result: { type: "string", enum: ["created", "updated", "unchanged", "existing"] },
      detail: {
        description:
          "With 422 all that is wrong with the item, with 409 what it conflicts with, with 403 the quota.",
        anyOf: [{ type: "string" }, { type: "array", items: { $ref: "ValidationError#" } }],
      },
      existing_id: { type: "string", description: "With 409: the record that is there." },
    },
    required: ["index", "status"],
  },
};

export function batchOf(
  deps: RecordsDeps,
  type: RecordType,
  body: ReturnType<typeof batchShape>,
  check: Check,
): RecordOperation {
  const words = wordOf(type.writePath);
  return operation({
    ...writing(type),
    method: "POST",
    url: `${type.writePath}/batch`,
    isIdToOthers: true,
    id: `create_${words}`,
    summary: `Create up to ${ITEMS_MAX} ${words}; one result for each, in their order`,
    ...(hasAddresses(type) && { query: ON_DUPLICATE_PARAMETER }),
    body,
    bodyLimit_bytes: BATCH_BYTES_MAX,
    status: 207,
    answer: { $ref: "BatchResults#" },
    run: async ({ caller, query, body: sent, elements, write }) => {
      becomeBulk();
      const onDuplicate = onDuplicateOf(type, caller, query);
      const judged = await judge(elements(), check);
      const batch = { judged, atomic: sent.atomic ?? false, onDuplicate };
      return write((db) => writeBatch(writerOf(db, caller, deps, type), batch));
    },
  });
}

export function putByKeyOf(
  deps: RecordsDeps,
  type: RecordType,
  kind: KeyKind,
  { body, check }: { readonly body: BodyShape; readonly check: Check },
): RecordOperation {
  const word = nounOf(type.writePath);
  return operation({
    ...writing(type),
    method: "PUT",
    url: `${type.writePath}/by/${kind}/:${kind}`,
    id: `put_${word}_by_${kind}`,
    summary: `Change the ${word} with this ${kind}, or create it; X-Result tells which`,
    path: { [kind]: KEY_PATHS[kind] },
    body,
    bodyIssues: ({ tenant }, sent, path) => {
      const text = path[kind];
      return text === undefined ? [] : keyIssues({ kind, text }, sent, tenant.default_country);
    },
    ...answering(type),
    answerHeaders: RESULT_HEADER,
    failures: {
      409: "Several records have this key (`existing_ids`), or a unique value is another's (`existing_id`)",
    },
    conditions: ["if-match", "if-none-match"],
    run: async ({ caller, path, body: input, conditions, write, reply }) => {
      const given = { kind, text: path[kind] ?? "" };
      const putting = { given, input, check, conditions };
      return write(async (db) =>
        sendWritten(reply, await putByKey(writerOf(db, caller, deps, type), putting)),
      );
    },
  });
}
