/** The record sent in webhook tests. It has all members, so that receivers in typed languages can parse it. */

import { isoSeconds } from "../../platform/clock/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { kindOf } from "../kinds/index.ts";
import type { RecordType } from "../types/index.ts";
import { draftOf, present } from "../body/index.ts";

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

/** Returns a sample record. All its references contain the record's own id. */
export function sampleRecord(type: RecordType, id: string, now_s: number): JsonObject {
  const [first] = type.oneOf ?? [];
  const examples = { text: NAME, amount: 0, time_s: now_s, idOf: () => id };
  const input = Object.entries(type.fields)
    .filter(([name, { required }]) => required === true || name === "name" || name === first)
    .map(([name, field]): [string, Json] => [name, kindOf(field).example(field, examples)]);
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
