/** Sample bodies for every record type, generated from the types' descriptions so that new types are included. */

import { errorCatalog } from "../../src/platform/errors/errors.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import type { Field, RecordType } from "../../src/records/types/record-types.ts";
import type { Answer, Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";

export type Body = Record<string, unknown>;

/** Ids of the records that a body can refer to, by type name. */
export type Referable = Readonly<Record<string, string>>;

/** Sample strings for fields that need a particular format. */
const TEXTS: Readonly<Record<string, (seed: number) => string>> = {
  email: (seed) => `Person${seed}@Example.com`,
  phone: (seed) => `(555) 555-${String(5000 + seed)}`,
  website: (seed) => `https://www.example.com/${seed}`,
  subject_type: (seed) => `newsletter ${seed}`,
};

/**
 * Lists as responses show them. The main entries have the `email` and `phone` that are generated from the same seed.
 */
const ENTRIES: Readonly<Record<"email" | "phone", (seed: number) => Body[]>> = {
  email: (seed) =>
    [
      ["Main", `Person${seed}@Example.com`],
      ["Work", `work${seed}@example.com`],
    ].map(([type, email]) => ({ type, email, email_validation_dict: { result: 1 } })),
  phone: (seed) => [
    {
      type: "Main",
      phone: `1555555${5000 + seed}`,
      country: "US",
      formatted_phone: `(555) 555-${5000 + seed}`,
    },
    {
      type: "Office",
      phone: `4930${12_000_000 + seed}`,
      country: "DE",
      formatted_phone: `030 ${12_000_000 + seed}`,
    },
  ],
};

const cut = (text: string, max: number): string => text.slice(0, max);

const EPOCH_s = 1_700_000_000;
/**
 * The samples use days 1 to 28, because every month has them. Any combination of sample day and month is a valid date.
 */
const DAYS = 28;

/** Returns a value that a field accepts. Different seeds give different values if the field allows it. */
export function sampleOf(name: string, field: Field, seed: number, refs: Referable): unknown {
  switch (field.kind) {
    case "text":
      return TEXTS[name]?.(seed) ?? cut(`${name} ${seed} “é, 𝒳”\n\t\\"`, field.max);
    case "choice":
      return field.of[seed % field.of.length];
    case "tags":
      return [`tag ${seed}`, "shared"];
    case "number":
      return field.min + ((seed % 7) / 8) * (field.max - field.min);
    case "money":
      return seed * 12.25 - 3;
    case "whole":
      return field.min + (seed % (field.max - field.min + 1));
    case "digits":
      return field.min + (seed % Math.min(DAYS, field.max === "this year" ? DAYS : field.max));
    case "epoch":
      return EPOCH_s + seed + 0.5;
    case "ssn":
      return `123-45-${String(6000 + seed)}`;
    case "flag":
      return seed % 2 === 0;
    case "reference":
      return refs[field.to];
    case "lines":
      return [{ unknown: [seed, null, { kept: true }], ...lineOf(field.members, seed) }];
    case "socials":
      return [{ type: "Linkedin", url: `https://example.com/${seed}`, followers: seed }];
    case "entries":
      return ENTRIES[field.of](seed);
    case "free":
      return { step: seed, nested: { kept: [true] } };
  }
}

type Members = Extract<Field, { kind: "lines" }>["members"];

const lineOf = (members: Members, seed: number): Body =>
  Object.fromEntries(
    members.map(({ name, kind }) => [
      name,
      kind === "text"
        ? `${name} ${seed}`
        : kind === "money"
          ? seed + 0.5
          : { qty: seed, unit: "h" },
    ]),
  );

/** Whether sample bodies omit a field because it would contradict another field. */
const isLeftOut = (type: RecordType, name: string): boolean =>
  type.derived[name]?.kind === "mirror" || type.derived[name]?.kind === "moment";

/** Builds a body with every field, except fields that its other values rule out. */
export function fullBody(type: RecordType, seed: number, refs: Referable): Body {
  const body = Object.fromEntries(
    Object.entries(type.fields)
      .filter(([name]) => !isLeftOut(type, name))
      .map(([name, field]) => [name, sampleOf(name, field, seed, refs)]),
  );
  for (const [name, { field, is }] of Object.entries(type.onlyWhile ?? {})) {
    if (body[field] !== is) delete body[name];
  }
  return body;
}

/** Builds a body with every required field. The seed determines which optional fields it has. */
export function partialBody(type: RecordType, seed: number, refs: Referable): Body {
  const [wanted] = type.oneOf ?? [];
  return Object.fromEntries(
    Object.entries(fullBody(type, seed % 3, refs)).flatMap(([name, value], at) => {
      if (name === "external_id") return [];
      if (name === "invoice_num") return [[name, `No. ${seed}`]];
      const kept = type.fields[name]?.required || name === wanted || (seed + at) % 3 !== 0;
      return kept ? [[name, value]] : [];
    }),
  );
}

/** Creates one record of each type that other records can refer to. */
export async function makeReferable(client: Client): Promise<Referable> {
  const refs: Record<string, string> = {};
  for (const name of ["account", "contact", "deal"] as const) {
    const body = { name: `The ${name}`, ...(name === "deal" && { account_id: refs["account"] }) };
    refs[name] = String(ok(await client.post(BUILT_IN_TYPES[name].writePath, body)).body["_id"]);
  }
  return refs;
}

const [, TENANT_BUSY] = errorCatalog.tenant_busy;

/**
 * Sends one of many concurrent requests. Sends it again if it waited too long for a connection: 503, or 429 if the
 * tenant itself used the connections.
 */
export const whenFree = (send: () => Promise<Answer>): Promise<Answer> =>
  eventually(send, ({ status, body }) => status !== 503 && body?.detail !== TENANT_BUSY);

/** Asserts that a response is a 200 and returns it. */
export function ok(answer: Answer): Answer {
  if (answer.status === 200) return answer;
  throw new Error(`Expected 200, not ${answer.status}: ${answer.text.slice(0, 2000)}`);
}

/** Returns the records in a list response, whatever its format. */
export function recordsIn({ body }: Answer): Body[] {
  if (Array.isArray(body)) return body as Body[];
  const envelope = Object.values(BUILT_IN_TYPES).find(
    ({ envelope }) => envelope !== undefined && envelope in body,
  );
  return body[envelope?.envelope ?? ""] as Body[];
}

/** Every list operation of every type. */
export const LISTS = Object.values(BUILT_IN_TYPES).flatMap((type) =>
  Object.entries(type.lists).map(([name, listing]) => ({ type, name, listing })),
);
