/** Of a dry run: the existing records that an import would change, and the first of them before and after. */

import { changedFields } from "../../audit/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../../records/index.ts";
import { beginningOf } from "../read/index.ts";
import type { RowInput } from "../rows/index.ts";

/** A record that would change. Both sides have the fields that differ, and only them. */
export interface ChangeExample {
  readonly line: number;
  readonly id: string;
  readonly name: string | null;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

const EXAMPLES = 5;
/** Longer values are shortened to this many characters, beginning shortly before the first difference. */
const VALUE_CHARACTERS = 200;
const SAME_CHARACTERS = 40;

/** Collects the changes of one chunk, and its examples after those of earlier ones. */
export class Preview {
  readonly #type: RecordType;
  readonly #rows: readonly RowInput[];
  readonly ids: string[] = [];
  examples: readonly ChangeExample[];

  constructor(type: RecordType, rows: readonly RowInput[], earlier: readonly ChangeExample[]) {
    this.#type = type;
    this.#rows = rows;
    this.examples = earlier;
  }

  /** Takes the record that the row at this place changes. */
  readonly add = (at: number, before: JsonObject, after: JsonObject): void => {
    const id = String(before["_id"]);
    this.ids.push(id);
    // Each chunk is undone, so a later one changes the same record from the beginning.
    const isShown = this.examples.some((example) => example.id === id);
    if (isShown || this.examples.length === EXAMPLES) return;
    const { fields, derived } = this.#type;
    const changed = changedFields(before, after, (name) => name in fields || name in derived);
    const side = (place: 0 | 1): JsonObject =>
      Object.fromEntries(
        Object.entries(changed).map(([name, values]) => [
          name,
          shortened(values[place], values[1 - place]),
        ]),
      );
    const example = {
      line: this.#rows[at]?.line ?? 0,
      id,
      name: (before["name"] ?? null) as string | null,
      before: side(0),
      after: side(1),
    };
    this.examples = [...this.examples, example];
  };
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
