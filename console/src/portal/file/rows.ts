/** Converts a file's rows to submissions. */

import type { Meaning } from "./columns.ts";
import type { CsvRow, CsvTable } from "./csv.ts";
import { looksDeliverable } from "../../ui/email/index.ts";
import { preferencesOf } from "../sending/index.ts";
import { earlierOf } from "./same-person.ts";

/** A problem that is detected before the row is submitted. */
export type RowProblem =
  | { readonly kind: "name" }
  | { readonly kind: "reach" }
  | { readonly kind: "source"; readonly source: string };

export interface PushBody {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly source?: string;
  readonly comments: string | null;
  readonly description: string | null;
  readonly match_preferences: Readonly<Record<string, string | number>> | null;
  readonly expiration_date: number | string | null;
}

export interface FileRow {
  readonly row: number;
  /** The row's original cells. */
  readonly values: readonly string[];
  readonly body: PushBody;
  /** Why the row cannot be submitted; empty if it can. */
  readonly problems: readonly RowProblem[];
  /** The number of the first earlier row about the same person, if there is one. */
  readonly sameAs?: number;
}

export const canSubmit = ({ problems }: FileRow): boolean => problems.length === 0;

/** Whether a row can be submitted but its email address looks invalid. */
export const isDoubtful = (row: FileRow): boolean =>
  canSubmit(row) && row.body.email !== null && !looksDeliverable(row.body.email);

/** Whether a row can be submitted but has a warning. */
export const hasWarning = (row: FileRow): boolean => isDoubtful(row) || row.sameAs !== undefined;

export interface Reading {
  readonly meanings: readonly Meaning[];
  /** The sources that the partner can use. */
  readonly sources: readonly string[];
  /** The source for rows that have none; undefined if the partner has no sources. */
  readonly source: string | undefined;
}

export function rowsOf({ headings, rows }: CsvTable, reading: Reading): readonly FileRow[] {
  const read = rows.map((row) => rowOf(headings, row, reading));
  const earlier = earlierOf(read.map((row) => (canSubmit(row) ? row.body : undefined)));
  return read.map((row, at) => {
    const first = read[earlier[at] ?? -1];
    return first === undefined ? row : { ...row, sameAs: first.row };
  });
}

function rowOf(headings: readonly string[], { row, values }: CsvRow, reading: Reading): FileRow {
  const { meanings, sources } = reading;
  const given = (meaning: Meaning): string => (values[meanings.indexOf(meaning)] ?? "").trim();
  const orNull = (meaning: Meaning): string | null => given(meaning) || null;
  const name = given("name") || `${given("first_name")} ${given("last_name")}`.trim();
  const named = sources.length === 0 ? "" : given("source");
  const source =
    named === ""
      ? reading.source
      : (sources.find((one) => one.toLowerCase() === named.toLowerCase()) ?? named);
  const preferences = meanings.flatMap((meaning, at) => {
    const value = values[at]?.trim() ?? "";
    return meaning === "preference" && value !== "" ? [{ key: headings[at] ?? "", value }] : [];
  });
  const body: PushBody = {
    name,
    email: orNull("email"),
    phone: orNull("phone"),
    ...(source !== undefined && { source }),
    comments: orNull("comments"),
    description: orNull("description"),
    match_preferences: preferencesOf(preferences),
    expiration_date: momentOf(given("expiration_date")),
  };
  return { row, values, body, problems: problemsOf(body, sources) };
}

/** Converts epoch seconds to a number. Other formats are left for the service to parse. */
const momentOf = (text: string): number | string | null =>
  text === "" ? null : /^\d+$/.test(text) ? Number(text) : text;

function problemsOf(
  { name, email, phone, source }: PushBody,
  sources: readonly string[],
): readonly RowProblem[] {
  const problems: RowProblem[] = [];
  if (name === "") problems.push({ kind: "name" });
  if (email === null && phone === null) problems.push({ kind: "reach" });
  if (source !== undefined && !sources.includes(source)) problems.push({ kind: "source", source });
  return problems;
}
