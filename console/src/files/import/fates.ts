/** What happens to each column of a file, and the user's changes to it. */

import { t } from "../../text/index.ts";
import type { ImportOptions, Mapping } from "./import.ts";
import type { Sample } from "./sample.ts";

/** A column of the file. */
export interface Fate {
  readonly heading: string;
  /** The field that the column is imported to; undefined if there is none. */
  readonly field: string | undefined;
  readonly isTaken: boolean;
  /** A description of what happens to the column. */
  readonly told: string;
  /** Whether the user cannot change it. */
  readonly isFixed: boolean;
}

/** What the service does with each column, by header. */
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

/**
 * All columns in file order. If the file could not be checked, the columns are those read in the
 * browser.
 */
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

/** The value of "Do not import" in the field list. */
export const LEFT_OUT = "-";

/** The selected field of a column: the user's choice, or the field that the service recognized. */
export function choiceOf({ heading, field }: Fate, { map = {} }: ImportOptions): string {
  const byHand = map[heading];
  return byHand === undefined ? (field ?? "") : byHand === "" ? LEFT_OUT : byHand;
}

/** The options with another choice for a column. An empty choice restores the recognized field. */
export function withChoice(options: ImportOptions, heading: string, choice: string): ImportOptions {
  const { [heading]: _, ...others } = options.map ?? {};
  if (choice === "") return { ...options, map: others };
  return { ...options, map: { ...others, [heading]: choice === LEFT_OUT ? "" : choice } };
}
