/** What commands print: a result as JSON for programs, or as text; tables. */

import type { Given, Option } from "./command.ts";

/** `--json` of commands whose output programs read. */
export const JSON_OPTION: Readonly<Record<"json", Option>> = {
  json: { type: "boolean", doc: "Print the result as JSON." },
};

/** Prints a result as JSON with `--json`, otherwise as the text. */
export function printResult(
  { values }: Pick<Given, "values">,
  result: unknown,
  text: string,
): void {
  console.log(values["json"] === true ? asJson(result) : text);
}

export const asJson = (result: unknown): string => JSON.stringify(result, undefined, 2);

/** A tenant chooses its names: nothing in them may control the operator's terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "\uFFFD");

/** Rows as lines, each column as wide as its longest cell; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const [first = []] = rows;
  const widths = first.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
