/** Records of every type with unusual strings wherever a string is allowed. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { recordTypes } from "../../src/records/index.ts";
import type { RecordType } from "../../src/records/types/record-types.ts";
import type { Client } from "../kit/api.ts";
import { fullBody, makeReferable, ok, type Body, type Referable } from "../api/samples.ts";
import { oddText } from "./odd-texts.ts";
import { recordsOf } from "./sending.ts";

/** Records of each type. */
const RECORDS = 30;

/** Accounts first, then contacts: records are imported before records that refer to them. */
export const ORDERED_TYPES: readonly RecordType[] = [
  ...["account", "contact", "lead", "deal"],
  ...["invoice", "order", "task"],
].map((name) => recordTypes.find((type) => type.name === name) as RecordType);

export const pathOf = (type: RecordType): string => type.lists["all"]?.path ?? "";

/** Creates records of every type. */
export async function fillOddly(client: Client, seed: number): Promise<void> {
  const texts = fc.sample(oddText(40), { seed, numRuns: 5000 });
  let at = 0;
  const next = () => texts[at++ % texts.length] as string;
  const refs = await makeReferable(client);
  for (const type of recordTypes) {
    for (let row = 0; row < RECORDS; row += 1) {
      ok(await client.post(type.writePath, oddBody(type, row, refs, next)));
    }
  }
}

function oddBody(type: RecordType, row: number, refs: Referable, next: () => string): Body {
  const body = Object.entries(fullBody(type, row, refs)).map(([name, value]) => {
    const field = type.fields[name];
    // An identifier is unique, a required string is not empty, and a task's subject is looked up.
    if (name === "external_id" || name === "invoice_num")
      return [name, `${next()}${type.name} ${row}`];
    if (name === "subject_type" || name === "userid") return [name, value];
    // An empty string is imported as no value: required fields are then rejected, and others are
    // filled in.
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

/** Returns the body with lists whose main entry is the body's own address or number, and a second, unusual one. */
function withEntries(type: RecordType, body: Body, next: () => string): Body {
  const lists = Object.entries(type.fields).flatMap(([name, field]) => {
    if (field.kind !== "entries" || body[field.of] === undefined) return [];
    const { of } = field;
    const main = String(body[of]).trim() === "" ? [] : [{ type: "Main", [of]: body[of] }];
    return [[name, [...main, { type: `s${next()}`, [of]: `u${next()}` }]]];
  });
  return { ...body, ...Object.fromEntries(lists) };
}

/** Asserts that the records of one tenant equal those of another, oldest first, except for what is not imported. */
export async function assertSame(type: RecordType, from: Client, to: Client): Promise<void> {
  const [sent, come] = [await recordsOf(from, pathOf(type)), await recordsOf(to, pathOf(type))];
  assert.deepEqual(come.map(meaning), sent.map(meaning), type.name);
}

/** The members that the service assigns to a record, which differ in another tenant. */
const ASSIGNED =
  /^(id|external_id|userid|user_name|created_by_userid|version|order_num|timestamp|subject)$|_id$|_ts$|^(created|updated|status_updated)_date$|^status_update_date$/;
/** An empty string is imported as no value, and a secret is masked. */
const meaning = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => !ASSIGNED.test(name) && name !== "ssn" && value !== "")
      .filter(([, value]) => value !== null),
  );
