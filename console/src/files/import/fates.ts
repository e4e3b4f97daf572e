/** What becomes of each column of a file, as it is shown and mended. */

import { t } from "../../text/index.ts";
import type { ImportOptions, Mapping } from "./import.ts";
import type { Sample } from "./sample.ts";

/** A column of the file. */
export interface Fate {
  readonly heading: string;
  /** The field that it is read into; undefined where that is none. */
  readonly field: string | undefined;
  readonly isTaken: boolean;
  /** What became of it, in words. */
  readonly told: string;
  /** Whether it can be told otherwise. */
  readonly isFixed: boolean;
}

/** Heading → what the service made of it. */
function fatesIn(mapping: Mapping): ReadonlyMap<string, Omit<Fate, "heading">> {
  const fates = new Map<string, Omit<Fate, "heading">>();
  const { fates: told } = t.files;
  const left = { field: undefined, isTaken: false, isFixed: false };
  for (const name of mapping.unmatched) fates.set(name, { ...left, told: told.unmatched });
  for (const name of mapping.read_only) {
    fates.set(name, { ...left, isFixed: true, told: told.read_only });
  }
  for (const name of mapping.ignored) fates.set(name, { ...left, told: told.ignored });
  for (const name of mapping.in_templates) {
    fates.set(name, { ...left, isTaken: true, told: told.in_templates });
  }
  for (const { heading, instead } of mapping.not_taken) {
    fates.set(heading, { ...left, told: told.not_taken(instead) });
  }
  for (const { heading, field, instead } of mapping.alternatives) {
    fates.set(heading, { field, isTaken: true, isFixed: false, told: told.alternatives(instead) });
  }
  for (const { heading, field } of mapping.matched) {
    fates.set(heading, { field, isTaken: true, isFixed: false, told: told.matched });
  }
  return fates;
}

/** Every column of a file in its order; where it could not be checked, as it was looked at here. */
export function fatesOf(
  mapping: Mapping | null | undefined,
  headings: readonly string[] | undefined,
  sample: Sample | undefined,
): readonly Fate[] {
  const known: ReadonlyMap<string, Omit<Fate, "heading">> = mapping === null ||
  mapping === undefined
    ? new Map()
    : fatesIn(mapping);
  const named = headings !== undefined && headings.length > 0 ? headings : sample?.headings;
  const names = new Set([...(named ?? []), ...known.keys()]);
  const unknown = { field: undefined, isTaken: false, isFixed: false, told: t.files.noField };
  return [...names].map((heading) => ({ heading, ...(known.get(heading) ?? unknown) }));
}

/** What stands in the place of "leave this column out" in a choice of fields. */
export const LEFT_OUT = "-";

/** The choice that is shown for a column: what was chosen by hand, else what the service understood. */
export function choiceOf({ heading, field }: Fate, { map = {} }: ImportOptions): string {
  const byHand = map[heading];
  return byHand === undefined ? (field ?? "") : byHand === "" ? LEFT_OUT : byHand;
}

/** The options with another choice for a column; as understood where it is the empty one. */
export function withChoice(options: ImportOptions, heading: string, choice: string): ImportOptions {
  const { [heading]: _, ...others } = options.map ?? {};
  if (choice === "") return { ...options, map: others };
  return { ...options, map: { ...others, [heading]: choice === LEFT_OUT ? "" : choice } };
}
