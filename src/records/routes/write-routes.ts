/** Operations that write records: create, update and delete records of any type, and convert leads. */

import { idIn } from "../../platform/ids/index.ts";
import {
  type BodyShape,
  deletionOf,
  deletionSchema,
  operation,
} from "../../platform/operations/index.ts";
import type { Check } from "../../platform/validation/index.ts";
import {
  checkConversion,
  type Conversion,
  CONVERT_ANSWER,
  convertLead,
  deleteRecord,
  etagOf,
  patchRecord,
} from "../write/index.ts";
import { aNoun, type RecordType, typesOf } from "../types/index.ts";
import {
  answering,
  idPath,
  nounOf,
  ON_DUPLICATE_PARAMETER,
  onDuplicateOf,
  oneUrl,
  partsFor,
  RESULT_HEADER,
  sendWritten,
  typeFor,
  writerOf,
  writing,
  type RecordOperation,
  type RecordsDeps,
} from "./record-operation.ts";
import { createGuarded, hasAddresses } from "../keys/index.ts";

/** Returns the type of body that requests with a record of this type have. */
export type BodyFor = (type: RecordType) => BodyShape;

export function createOf(deps: RecordsDeps, type: RecordType, bodyFor: BodyFor): RecordOperation {
  const word = nounOf(type.writePath);
  return operation({
    ...writing(type),
    ...answering(type),
    method: "POST",
    url: type.writePath,
    id: `create_${word}`,
    summary: `Create ${aNoun(word)}`,
    ...(hasAddresses(type) && { answerHeaders: RESULT_HEADER }),
    ...partsFor(type, (type) => ({
      ...(hasAddresses(type) && { query: ON_DUPLICATE_PARAMETER }),
      body: bodyFor(type),
    })),
    run: async ({ caller, query, body: input, write, reply }) => {
      const onDuplicate = onDuplicateOf(typeFor(caller, type), caller, query);
      const isPlain = onDuplicate === "allow" && query.on_duplicate === undefined;
      return write(async (db) => {
        const writer = writerOf(db, caller, deps, type);
        const written = await createGuarded(writer, { input, onDuplicate });
        if (!isPlain) return sendWritten(reply, written);
        reply.header("etag", etagOf(written.bytes));
        return written.bytes;
      });
    },
  });
}

export function patchOf(deps: RecordsDeps, type: RecordType, bodyFor: BodyFor): RecordOperation {
  const word = nounOf(type.writePath);
  return operation({
    ...writing(type),
    ...answering(type),
    method: "PATCH",
    url: oneUrl(type),
    id: `update_${word}`,
    summary: `Update ${aNoun(word)}`,
    description:
      "Fields that you do not send keep their values. Read-only fields are ignored, so you can send back a " +
      "record that you have read.",
    path: idPath(type),
    ...partsFor(type, (type) => ({ body: bodyFor(type) })),
    conditions: ["if-match"],
    run: async ({ caller, path, body: input, conditions, write, reply }) => {
      const id = idIn(path, type.idName);
      return write(async (db) => {
        const patch = { id, input, ifMatch: conditions["if-match"] };
        const record = await patchRecord(writerOf(db, caller, deps, type), patch);
        reply.header("etag", etagOf(record, id));
        return record;
      });
    },
  });
}

export function convertOf(
  deps: RecordsDeps,
  checkOf: (type: RecordType) => Check,
  body: BodyShape<Conversion>,
): RecordOperation {
  const { lead } = deps.types;
  return operation({
    ...writing(lead),
    method: "POST",
    url: "/crm/leads/:lead_id/convert",
    id: "convert_lead",
    summary: "Convert a lead",
    description:
      "Creates a contact from the lead and, if you request them, an account and a deal. Converting the " +
      "lead again returns the same ids.",
    path: idPath(lead),
    body,
    bodyOptional: true,
    answer: CONVERT_ANSWER,
    conditions: ["if-match"],
    run: async ({ caller, path, body: input, conditions, write }) => {
      const { account, deal } = typesOf({ tenantId: caller.tenant.id });
      checkConversion(input, { account: checkOf(account), deal: checkOf(deal) });
      const id = idIn(path, "lead_id");
      const asked = { id, ifMatch: conditions["if-match"] };
      return write((db) => convertLead(writerOf(db, caller, deps, lead), asked, input));
    },
  });
}

export function deleteOf(deps: RecordsDeps, type: RecordType): RecordOperation {
  const noun = nounOf(type.writePath);
  return operation({
    ...writing(type),
    method: "DELETE",
    url: oneUrl(type),
    id: `delete_${noun}`,
    summary: `Delete ${aNoun(noun)}`,
    path: idPath(type),
    answer: deletionSchema("record"),
    conditions: ["if-match"],
    run: async ({ caller, path, conditions, write }) => {
      const id = idIn(path, type.idName);
      const asked = { id, ifMatch: conditions["if-match"] };
      await write((db) => deleteRecord(writerOf(db, caller, deps, type), asked));
      return deletionOf(id);
    },
  });
}
