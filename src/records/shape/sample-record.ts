/** The record sent in webhook tests. It has all members, so that receivers in typed languages can parse it. */

import { isoSeconds } from "../../platform/clock/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { Field, RecordType } from "../types/index.ts";
import { draftOf, present } from "./present.ts";

const NAME = "Leadport test";

/** Returns the members that the writing statement adds to a new record. */
export function newStamps(type: RecordType, now_s: number): JsonObject {
  const date = isoSeconds(now_s);
  return {
    created_ts: now_s,
    ...(type.timestamp && { timestamp: now_s }),
    updated_ts: now_s,
    status_update_date: now_s,
    created_date: date,
    updated_date: date,
    status_updated_date: date,
    version: 1,
  };
}

function sampleValue({ kind }: Field, id: string): Json {
  switch (kind) {
    case "reference":
      return id;
    case "money":
      return 0;
    case "lines":
      return [];
    default:
      return NAME;
  }
}

/** Returns a sample record. All its references contain the record's own id. */
export function sampleRecord(type: RecordType, id: string, now_s: number): JsonObject {
  const [first] = type.oneOf ?? [];
  const input = Object.entries(type.fields)
    .filter(([name, { required }]) => required === true || name === "name" || name === first)
    .map(([name, field]): [string, Json] => [name, sampleValue(field, id)]);
  const numbers = Object.entries(type.derived).flatMap(([name, derived]) =>
    derived.kind === "sequence" ? [[name, `${derived.prefix}${derived.start}`] as const] : [],
  );
  const draft = draftOf(type, Object.fromEntries(input), "US");
  const values = { ...draft.values, ...Object.fromEntries(numbers) };
  const body = present(
    type,
    { ...draft, values },
    {
      id,
      now_s,
      owner: { userid: id, user_name: null },
      createdBy: id,
      names: {},
    },
  );
  return { ...body, ...newStamps(type, now_s) };
}
