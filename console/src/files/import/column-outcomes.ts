/** Describes what happens to each column in a file, and applies the user's changes. */

import { t } from "../../text/index.ts";
import type { ImportOptions, Mapping } from "./import.ts";
import type { Sample } from "./sample.ts";

export interface ColumnOutcome {
  readonly heading: string;
  /** The field that the column is imported to; undefined if there is none. */
  readonly field: string | undefined;
  readonly isTaken: boolean;
  /** A description of what happens to the column. */
  readonly label: string;
  /** Whether the column's field cannot be changed. */
  readonly isFixed: boolean;
}

/** Returns what the service does with each column, by header. */
function outcomesIn(mapping: Mapping): ReadonlyMap<string, Omit<ColumnOutcome, "heading">> {
  const columns = new Map<string, Omit<ColumnOutcome, "heading">>();
  const { outcomes: labels } = t.files;
  const left = { field: undefined, isTaken: false, isFixed: false };
  for (const name of mapping.unmatched) columns.set(name, { ...left, label: labels.unmatched });
  for (const name of mapping.read_only) {
    columns.set(name, { ...left, isFixed: true, label: labels.read_only });
  }
  for (const name of mapping.ignored) columns.set(name, { ...left, label: labels.ignored });
  for (const name of mapping.in_templates) {
    columns.set(name, { ...left, isTaken: true, label: labels.in_templates });
  }
  for (const { heading, instead } of mapping.not_taken) {
    columns.set(heading, { ...left, label: labels.not_taken(instead) });
  }
  for (const { heading, field, instead } of mapping.alternatives) {
    columns.set(heading, {
      field,
      isTaken: true,
      isFixed: false,
      label: labels.alternatives(instead),
    });
  }
  for (const { heading, field } of mapping.matched) {
    columns.set(heading, { field, isTaken: true, isFixed: false, label: labels.matched });
  }
  return columns;
}

/**
 * Returns all columns in the order of the file. If the service could not check the file, returns
 * the columns that the browser found.
 */
export function columnsOf(
  mapping: Mapping | null | undefined,
  headings: readonly string[] | undefined,
  sample: Sample | undefined,
): readonly ColumnOutcome[] {
  const known: ReadonlyMap<string, Omit<ColumnOutcome, "heading">> = mapping === null ||
  mapping === undefined
    ? new Map()
    : outcomesIn(mapping);
  const named = headings !== undefined && headings.length > 0 ? headings : sample?.headings;
  const names = new Set([...(named ?? []), ...known.keys()]);
  const unknown = {
    field: undefined,
    isTaken: false,
    isFixed: false,
    label: t.files.outcomes.ignored,
  };
  return [...names].map((heading) => ({ heading, ...(known.get(heading) ?? unknown) }));
}

/** The value of "Do not import" in the field list. */
export const LEFT_OUT = "-";

/** Returns the field selected for a column: the user's choice, or the field that the service recognized. */
export function choiceOf(column: ColumnOutcome, { map = {} }: ImportOptions): string {
  const { heading, field = column.isFixed ? "" : LEFT_OUT } = column;
  const byHand = Object.hasOwn(map, heading) ? map[heading] : undefined;
  return byHand === undefined ? field : byHand === "" ? LEFT_OUT : byHand;
}

/**
 * Returns the options with a different field for a column. An empty choice restores the recognized
 * field.
 */
export function withChoice(options: ImportOptions, heading: string, choice: string): ImportOptions {
  const { [heading]: _, ...others } = options.map ?? {};
  if (choice === "") return { ...options, map: others };
  return { ...options, map: { ...others, [heading]: choice === LEFT_OUT ? "" : choice } };
}
