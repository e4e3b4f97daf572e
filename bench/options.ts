/** What a benchmark is, and its command-line options. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface Option {
  /** The placeholder for the value in the help, such as `<number>`; empty for a flag. The value of a flag is "true". */
  readonly value: string;
  readonly fallback: string;
  readonly doc: string;
}

export type Values = Readonly<Record<string, string>>;

export interface Benchmark {
  /** What the benchmark measures, in one line. */
  readonly does: string;
  /** The arguments in the help, such as `<commit>`. */
  readonly takes?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Returns whether all targets are met. Throws a `UsageError` if the values or arguments are invalid. */
  readonly run: (values: Values, positionals: readonly string[]) => Promise<boolean>;
}

/** The command line is invalid. */
export class UsageError extends Error {}

/** Whether an error means that the command line is invalid. */
export const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError &&
    "code" in error &&
    String(error.code).startsWith("ERR_PARSE_ARGS"));

const ROWS = 1_000_000;

/** The options of benchmarks that use a data folder with test data. */
export const FILLED_OPTIONS = {
  rows: {
    value: "<number>",
    fallback: String(ROWS),
    doc: "Leads of the one large tenant.",
  },
  data: {
    value: "<folder>",
    fallback: "",
    doc: `The data folder; filled if it is empty, used again if it is filled. Default: ${folderOf("<rows>")}.`,
  },
};

/** Returns the default data folder for the given number of rows. */
function folderOf(rows: string): string {
  return join(tmpdir(), `leadport-bench-${rows}`);
}

/** Returns the number of leads, and the data folder for that number of leads. */
export function placeOf(values: Values, rows = numberOf(values, "rows")) {
  return { rows, dataDir: values["data"] || folderOf(String(rows)) };
}

/** Whether a benchmark runs as documented: with the fallbacks of all options that change what is measured. */
export const isDefault = (options: Benchmark["options"], values: Values): boolean =>
  Object.entries(options).every(
    ([name, { fallback }]) => name === "data" || values[name] === fallback,
  );

/** Parses a whole number, 0 or more. */
export function numberOf(values: Values, name: string): number {
  const text = values[name] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
}

/** Parses names separated by commas. Returns all known names if there are none. */
export function namesOf(values: Values, known: readonly string[]): readonly string[] {
  const names = (values["only"] ?? "").split(",").filter(Boolean);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names.length === 0 ? known : names;
  throw new UsageError(`There is no ${JSON.stringify(unknown)}: --only takes ${known.join(", ")}`);
}

/** Parses arguments. Returns undefined if they ask for help. Throws if there is no such option. */
export function parse(
  { options, takes }: Benchmark,
  args: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } | undefined {
  const types = Object.entries({ ...options, help: { value: "" } }).map(
    ([name, { value }]) =>
      [name, { type: value === "" ? ("boolean" as const) : ("string" as const) }] as const,
  );
  const given = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    allowPositionals: takes !== undefined,
  });
  if (given.values["help"] === true) return undefined;
  const values = Object.fromEntries(
    Object.entries(options).map(([name, { fallback }]) => [
      name,
      String(given.values[name] ?? fallback),
    ]),
  );
  return { values, positionals: given.positionals };
}

export function helpOf(name: string, { does, takes, options }: Benchmark): string {
  const lines = Object.entries(options).map(([option, { value, fallback, doc }]) => {
    const otherwise = fallback === "" ? "" : ` (${fallback})`;
    return `  ${`--${option} ${value}`.padEnd(20)}  ${doc}${otherwise}`;
  });
  const usage = ["npm run bench --", name, takes, "[options]"].filter(Boolean).join(" ");
  return [usage, "", `${does}.`, "", ...lines].join("\n");
}
