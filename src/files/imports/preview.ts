/**
 * The preview in a dry run: the existing records that the import would change, with before-and-after examples of the
 * first ones.
 */

import { changedFields } from "../../audit/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { Outcome, UpdateExample } from "../../records/keys/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import { beginningOf } from "../read/index.ts";
import type { RowInput } from "../rows/index.ts";

/** A record that would change. `before` and `after` contain only the fields that differ. */
export interface ChangeExample extends UpdateExample {
  readonly line: number;
  readonly id: string;
}

const EXAMPLES = 5;
/**
 * Values longer than this are shortened to an excerpt of this many characters, which starts shortly before the first
 * difference.
 */
const VALUE_CHARACTERS = 200;
const SAME_CHARACTERS = 40;

export interface Preview {
  readonly ids: readonly string[];
  readonly examples: readonly ChangeExample[];
}

/**
 * Returns the existing records that one chunk would change, and adds examples until there are enough. Leaves out
 * records that the chunk itself creates.
 */
export function previewOf(
  rows: readonly RowInput[],
  outcomes: readonly Outcome[],
  earlier: readonly ChangeExample[],
): Preview {
  const known = new Set(
    outcomes.flatMap((one) => ("result" in one && one.result === "created" ? one.id : [])),
  );
  const ids: string[] = [];
  const examples = [...earlier];
  const shown = new Set(earlier.map((example) => example.id));
  for (const [at, outcome] of outcomes.entries()) {
    if (!("result" in outcome) || outcome.result !== "updated" || known.has(outcome.id)) continue;
    const { id, example } = outcome;
    known.add(id);
    ids.push(id);
    // A chunk does not see the changes of earlier chunks, which were rolled back. Show each record only once.
    if (example === undefined || shown.has(id) || examples.length === EXAMPLES) continue;
    examples.push({ line: rows[at]?.line ?? 0, id, ...example });
  }
  return { ids, examples };
}

/** Returns the fields that an update changed, with long values shortened. */
export function exampleOf(
  { fields, derived }: RecordType,
  before: JsonObject,
  after: Buffer,
): UpdateExample {
  const now = JSON.parse(after.toString("utf8")) as JsonObject;
  const changed = changedFields(before, now, (name) => name in fields || name in derived);
  const side = (place: 0 | 1): JsonObject =>
    Object.fromEntries(
      Object.entries(changed).map(([name, values]) => [
        name,
        shortened(values[place], values[1 - place]),
      ]),
    );
  const name = (before["name"] ?? null) as string | null;
  return { name, before: side(0), after: side(1) };
}

function shortened(value: Json, other: Json = null): Json {
  const text = textOf(value);
  if (text.length <= VALUE_CHARACTERS) return value;
  const from = Math.max(0, firstDifference(text, textOf(other)) - SAME_CHARACTERS);
  const piece = beginningOf(text.slice(from).toWellFormed(), VALUE_CHARACTERS);
  return from === 0 ? piece : `…${piece}`;
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
