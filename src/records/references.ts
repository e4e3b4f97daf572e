/**
 * The records that a record names (D3.8). They are looked up, all at once, inside the write's
 * transaction and held until it ends, so that a name that is copied cannot be a renamed one.
 */

import type { Scope } from "../audit/index.ts";
import type { Tx } from "../platform/db.ts";
import { ValidationError, type Issue } from "../platform/errors.ts";
import type { RecordName, RecordType } from "./define.ts";
import type { Values } from "./present.ts";
import { namesOf } from "./store.ts";
import { RECORD_TYPES } from "./types/index.ts";

interface Reference {
  readonly field: string;
  readonly to: RecordName;
  readonly id: string;
}

/** The subject types of a task that are ours (D7); other words are kept unchecked. */
const SUBJECTS: Readonly<Record<string, RecordName>> = {
  lead: "lead",
  contact: "contact",
  account: "account",
  opportunity: "deal",
  invoice: "invoice",
  order: "order",
};

/** The references that these values hold. */
export function referencesOf(type: RecordType, values: Values): readonly Reference[] {
  const references = Object.entries(type.fields).flatMap(([field, described]) => {
    const id = values[field];
    return described.kind === "reference" && typeof id === "string"
      ? [{ field, to: described.to, id }]
      : [];
  });
  if (type.subject === undefined) return references;
  const to = SUBJECTS[String(values[type.subject.type])];
  const id = values[type.subject.id];
  if (to === undefined || typeof id !== "string") return references;
  return [...references, { field: type.subject.id, to, id }];
}

/** The names of the records that are named, by field; throws 422 for those that do not exist. */
export async function resolveReferences(
  scope: Scope<Tx>,
  references: readonly Reference[],
): Promise<Readonly<Record<string, string | null>>> {
  const names: Record<string, string | null> = {};
  const issues: Issue[] = [];
  for (const { field, to, id } of references) {
    const found = await namesOf(scope, RECORD_TYPES[to], [id]);
    if (found.has(id)) names[field] = found.get(id) ?? null;
    else issues.push(missing(field, to, id));
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return names;
}

const missing = (field: string, to: RecordName, id: string): Issue => ({
  type: "value_error",
  loc: ["body", field],
  msg: `Value error, there is no ${to} with this id`,
  input: id,
  ctx: { error: {} },
});
