/** Maps strings in a file to field values, as specified by the `values` option. */

import type { RecordType } from "../../records/types/index.ts";
import { plainName, targetOf } from "../headings/index.ts";
import type { MappingOptions } from "./mapping-options.ts";

/** Normalized string in the file → value. */
export type ValueMap = ReadonlyMap<string, string>;

/** Normalizes a string, so that cells can be compared with a value map's keys. */
export const plainWord = (word: string): string => plainName(word) || word.trim().toLowerCase();

interface ValueParts {
  readonly type: RecordType;
  readonly options: MappingOptions;
  readonly headings: readonly string[];
  readonly problems: string[];
}

/** Returns the value maps by field or column. Adds problems to `problems`. */
export function valueMapsOf({
  type,
  options,
  headings,
  problems,
}: ValueParts): Map<string, ValueMap> {
  const maps = new Map<string, Map<string, string>>();
  const add = (place: string, word: string, value: string) => {
    const words = maps.get(place) ?? new Map<string, string>();
    maps.set(place, words.set(plainWord(word), value));
  };
  for (const [where, words] of Object.entries(options.values ?? {})) {
    for (const [word, value] of Object.entries(words)) {
      const places = where === "*" ? choicesWith(type, value) : placeOf(type, headings, where);
      if (places.length === 0) {
        const what =
          where === "*"
            ? `no field has the value "${value}"`
            : `"${where}" is neither a field nor a column`;
        problems.push(`value: ${what}`);
      }
      for (const place of places) {
        const field = type.fields[place];
        if (field?.kind === "choice" && !field.of.includes(value)) {
          problems.push(`value: ${place} must be one of ${field.of.join(", ")}, not "${value}"`);
        }
        add(place, word, value);
      }
    }
  }
  return maps;
}

const choicesWith = (type: RecordType, value: string) =>
  Object.entries(type.fields)
    .filter(([, field]) => field.kind === "choice" && field.of.includes(value))
    .map(([name]) => name);

function placeOf(type: RecordType, headings: readonly string[], where: string): string[] {
  const target = targetOf(type, where);
  if (target !== undefined) return [target];
  return headings.filter((heading) => plainName(heading) === plainName(where));
}
