/** Command output: results as JSON or text, and tables. */

import type { Given, Option } from "./command.ts";

export const JSON_OPTION: Readonly<Record<"json", Option>> = {
  json: { type: "boolean", doc: "Print the result as JSON." },
};

/** Prints a result as JSON with `--json`, otherwise as text. */
export function printResult(
  { values, output }: Pick<Given, "values" | "output">,
  result: unknown,
  text: string,
): void {
  output.log(values["json"] === true ? asJson(result) : text);
}

export const asJson = (result: unknown): string => JSON.stringify(result, undefined, 2);

/**
 * Replaces control characters. Names are chosen by tenants, and must not be able to control the operator's terminal.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "\uFFFD");

/** Formats rows as lines. Each column except the last is as wide as its longest cell. */
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
