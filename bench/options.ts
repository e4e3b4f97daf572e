/** The options of the loads, read once; `--help` tells them. Wrong use ends with 2. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface Option {
  /** What stands for the value in the help: `<number>`; nothing for a flag, whose value is "true". */
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
    doc: `The data folder; filled where it is empty, used again where it is filled. Without it ${folderOf("<rows>")}.`,
  },
};

/** Where a filling of that size lies without --data. */
export function folderOf(rows: string): string {
  return join(tmpdir(), `leadport-bench-${rows}`);
}

/** Reads the command line; ends the process after --help and where an option is wrong. */
export function readOptions(
  script: string,
  does: string,
  own: Readonly<Record<string, Option>> = {},
): Common & { readonly values: Readonly<Record<string, string>> } {
  const known = { ...COMMON, ...own };
  const values: Record<string, string> = {};
  try {
    const options = Object.fromEntries(
      [...Object.keys(known), "help"].map((name) => {
        const isFlag = (known[name]?.value ?? "") === "";
        return [name, { type: isFlag ? ("boolean" as const) : ("string" as const) }];
      }),
    );
    const given = parseArgs({ options, strict: true }).values;
    if (given["help"] === true) {
      console.log(helpOf(script, does, known));
      process.exit(0);
    }
    for (const [name, { fallback }] of Object.entries(known)) {
      values[name] = String(given[name] ?? fallback);
    }
    const rows = numberOf(values, "rows");
    return { rows, dataDir: values["data"] || folderOf(String(rows)), values };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${helpOf(script, does, known)}`);
    process.exit(2);
  }
}

/** A whole number, 0 or more. Throws where it is none. */
export function numberOf(values: Readonly<Record<string, string>>, name: string): number {
  const text = values[name] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
}

function helpOf(script: string, does: string, known: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(known).map(([name, { value, fallback, doc }]) => {
    const otherwise = fallback === "" ? "" : ` (${fallback})`;
    return `  ${`--${name} ${value}`.padEnd(20)}  ${doc}${otherwise}`;
  });
  return [`npm run ${script} -- [options]`, "", does, "", ...lines].join("\n");
}
