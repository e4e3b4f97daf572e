/** Converts the rows of a file to submissions. */

import type { Meaning } from "./columns.ts";
import type { CsvRow, CsvTable } from "./csv.ts";
import { looksDeliverable } from "../../ui/email/index.ts";
import { preferencesOf } from "../sending/index.ts";

/** Problems that are known before a row is submitted. */
export type RowProblem =
  | { readonly kind: "name" }
  | { readonly kind: "reach" }
  | { readonly kind: "source"; readonly source: string };

/** The request body of a submission. */
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
  /** The original cells. */
  readonly values: readonly string[];
  readonly body: PushBody;
  readonly problem: RowProblem | undefined;
}

/**
 * Whether a row deserves a warning, although it can be submitted: its email address looks
 * invalid.
 */
export const isDoubtful = ({ body: { email }, problem }: FileRow): boolean =>
  problem === undefined && email !== null && !looksDeliverable(email);

export interface Reading {
  readonly meanings: readonly Meaning[];
  /** The sources that the partner can use. */
  readonly sources: readonly string[];
  /** The source of rows without one; undefined if the partner has no sources. */
  readonly source: string | undefined;
}

export const rowsOf = ({ headings, rows }: CsvTable, reading: Reading): readonly FileRow[] =>
  rows.map((row) => rowOf(headings, row, reading));

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
  return { row, values, body, problem: problemOf(body, sources) };
}

/** Epoch seconds as a number. The service parses other formats. */
const momentOf = (text: string): number | string | null =>
  text === "" ? null : /^\d+$/.test(text) ? Number(text) : text;

function problemOf(
  { name, email, phone, source }: PushBody,
  sources: readonly string[],
): RowProblem | undefined {
  if (name === "") return { kind: "name" };
  if (email === null && phone === null) return { kind: "reach" };
  if (source !== undefined && !sources.includes(source)) return { kind: "source", source };
  return undefined;
}
