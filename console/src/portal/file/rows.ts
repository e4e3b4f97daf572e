/** The rows of a file as the pushes that they become. */

import type { Meaning } from "./columns.ts";
import type { CsvRow, CsvTable } from "./csv.ts";
import { looksDeliverable } from "../../ui/email/index.ts";
import { preferencesOf } from "../sending/index.ts";

/** What keeps a row from being pushed, known before anything is sent. */
export type RowProblem =
  | { readonly kind: "name" }
  | { readonly kind: "reach" }
  | { readonly kind: "source"; readonly source: string };

/** The body of a push, as the service takes it. */
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
  /** As the file has it. */
  readonly values: readonly string[];
  readonly body: PushBody;
  readonly problem: RowProblem | undefined;
}

/** Whether a row is worth another look, although it can be submitted: its email address looks invalid. */
export const isDoubtful = ({ body: { email }, problem }: FileRow): boolean =>
  problem === undefined && email !== null && !looksDeliverable(email);

export interface Reading {
  readonly meanings: readonly Meaning[];
  /** The sources that the partner may push as. */
  readonly sources: readonly string[];
  /** Of rows that name none; undefined where the partner has no sources. */
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

/** Epoch seconds as a number; what else there is the service reads. */
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
