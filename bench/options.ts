/** Command-line options of the benchmarks; `--help` lists them. Incorrect usage exits with 2. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface Option {
  /** The placeholder for the value in the help, such as `<number>`; empty for a flag. The value of a flag is "true". */
  readonly value: string;
  readonly fallback: string;
  readonly doc: string;
}

export interface Common {
  readonly rows: number;
  readonly dataDir: string;
}

const ROWS = 1_000_000;

const COMMON: Readonly<Record<string, Option>> = {
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

/** Returns the default data folder for the given number of rows, used if `--data` is omitted. */
export function folderOf(rows: string): string {
  return join(tmpdir(), `leadport-bench-${rows}`);
}

/** Reads the command line. Exits after --help and if an option is invalid. */
export function readOptions(
  script: string,
  does: string,
  own: Readonly<Record<string, Option>> = {},
): Common & { readonly values: Readonly<Record<string, string>> } {
  return parseOptions(
    { usage: `npm run ${script} -- [options]`, does, known: { ...COMMON, ...own } },
    (values, [unexpected]) => {
      if (unexpected !== undefined)
        throw new Error(`Unexpected argument ${JSON.stringify(unexpected)}`);
      const rows = numberOf(values, "rows");
      return { rows, dataDir: values["data"] || folderOf(String(rows)), values };
    },
  );
}

interface Command {
  readonly usage: string;
  readonly does: string;
  readonly known: Readonly<Record<string, Option>>;
}

type Read<T> = (values: Readonly<Record<string, string>>, positionals: readonly string[]) => T;

/** Reads a benchmark's command line. Exits with 0 after --help, and with 2 if an option is invalid or `read` throws. */
export function parseOptions<T>({ usage, does, known }: Command, read: Read<T>): T {
  const values: Record<string, string> = {};
  try {
    const options = Object.fromEntries(
      [...Object.keys(known), "help"].map((name) => {
        const isFlag = (known[name]?.value ?? "") === "";
        return [name, { type: isFlag ? ("boolean" as const) : ("string" as const) }];
      }),
    );
    const given = parseArgs({ options, strict: true, allowPositionals: true });
    if (given.values["help"] === true) {
      console.log(helpOf(usage, does, known));
      process.exit(0);
    }
    for (const [name, { fallback }] of Object.entries(known)) {
      values[name] = String(given.values[name] ?? fallback);
    }
    return read(values, given.positionals);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${helpOf(usage, does, known)}`);
    process.exit(2);
  }
}

/** Parses a whole number, 0 or more. Throws if the value is invalid. */
export function numberOf(values: Readonly<Record<string, string>>, name: string): number {
  const text = values[name] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
}

function helpOf(usage: string, does: string, known: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(known).map(([name, { value, fallback, doc }]) => {
    const otherwise = fallback === "" ? "" : ` (${fallback})`;
    return `  ${`--${name} ${value}`.padEnd(20)}  ${doc}${otherwise}`;
  });
  return [usage, "", does, "", ...lines].join("\n");
}
