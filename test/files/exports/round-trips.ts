/** Records of every type, with unusual strings wherever a string is allowed. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { RecordType } from "../../../src/records/types/record-types.ts";
import type { Client } from "../../kit/api.ts";
import { fullBody, makeReferable, ok, type Body, type Referable } from "../../api/samples.ts";
import { oddText } from "../read/odd-texts.ts";
import { recordsOf } from "../imports/sending.ts";

/** The number of records of each type. */
const RECORDS = 30;

/** Accounts and contacts come first, so that records exist before other records refer to them. */
export const ORDERED_TYPES: readonly RecordType[] = [
  "account",
  "contact",
  "lead",
  "deal",
  "invoice",
  "order",
  "task",
].map((name) => Object.values(BUILT_IN_TYPES).find((type) => type.name === name) as RecordType);

export const pathOf = (type: RecordType): string => type.lists["all"]?.path ?? "";

/** Creates records of every type with unusual strings. */
export async function fillOddly(client: Client, seed: number): Promise<void> {
  const texts = fc.sample(oddText(40), { seed, numRuns: 5000 });
  let at = 0;
  const next = () => texts[at++ % texts.length] as string;
  const refs = await makeReferable(client);
  for (const type of Object.values(BUILT_IN_TYPES)) {
    for (let row = 0; row < RECORDS; row += 1) {
      ok(await client.post(type.writePath, oddBody(type, row, refs, next)));
    }
  }
}

function oddBody(type: RecordType, row: number, refs: Referable, next: () => string): Body {
  const body = Object.entries(fullBody(type, row, refs)).map(([name, value]) => {
    const field = type.fields[name];
    // Identifiers must be unique, and values that the service looks up must stay valid.
    if (name === "external_id" || name === "invoice_num")
      return [name, `${next()}${type.name} ${row}`];
    if (name === "subject_type" || name === "userid") return [name, value];
    // An empty string is imported as no value. A required field would then be rejected, and derived fields and fields
    // with a default would be filled in.
    const isFilled = name in type.derived || name in (type.defaultsTo ?? {});
    if (field?.kind === "text") {
      const isNeeded = isFilled || field.required || field.fallback !== undefined;
      return [name, isNeeded ? next() || "x" : next()];
    }
    if (field?.kind === "tags") return [name, [`${next()}t`, `u${next()}`]];
    if (field?.kind === "free") return [name, row % 3 === 0 ? next() : { [`k${next()}`]: next() }];
    if (field?.kind === "lines") return [name, [{ description: next(), [`k${next()}`]: next() }]];
    if (field?.kind === "socials") return [name, [{ type: `s${next()}`, url: `u${next()}` }]];
    return [name, value];
  });
  return withEntries(type, Object.fromEntries(body) as Body, next);
}

/**
 * Adds entry lists to a body. The main entry is the body's own email or phone, and the second entry has unusual
 * strings.
 */
function withEntries(type: RecordType, body: Body, next: () => string): Body {
  const lists = Object.entries(type.fields).flatMap(([name, field]) => {
    if (field.kind !== "entries" || body[field.of] === undefined) return [];
    const { of } = field;
    const main = String(body[of]).trim() === "" ? [] : [{ type: "Main", [of]: body[of] }];
    return [[name, [...main, { type: `s${next()}`, [of]: `u${next()}` }]]];
  });
  return { ...body, ...Object.fromEntries(lists) };
}

/** Asserts that two tenants have the same records, except for values that are not imported. */
export async function assertSame(type: RecordType, from: Client, to: Client): Promise<void> {
  const sent = await recordsOf(from, pathOf(type));
  const come = await recordsOf(to, pathOf(type));
  assert.deepEqual(come.map(meaning), sent.map(meaning), type.name);
}

/** Members that the service assigns, which differ between tenants. */
const ASSIGNED =
  /^(id|external_id|userid|user_name|created_by_userid|version|order_num|timestamp|subject)$|_id$|_ts$|^(created|updated|status_updated)_date$|^status_update_date$/;
/** Returns a record's values as an import would read them: an empty string means no value, and secrets are masked. */
const meaning = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => !ASSIGNED.test(name) && name !== "ssn" && value !== "")
      .filter(([, value]) => value !== null),
  );
