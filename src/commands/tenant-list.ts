/** `leadport tenant list`: the businesses of this installation, a line each. */

import { listTenants } from "../access/index.ts";
import type { Command } from "./command.ts";
import { withInstallation } from "./installation.ts";

export const command: Command = {
  notes:
    "Prints the handle, id, creation date and name of each tenant, oldest first. Other commands take\n" +
    "the handle or the id as --tenant. Names need not be unique.",
  run: ({ env }) =>
    withInstallation(env, async ({ db }) => {
      const rows = (await listTenants(db.sql)).map(({ id, handle, name, created_date }) => [
        handle,
        id,
        created_date.slice(0, 10),
        printable(name),
      ]);
      console.log(columns([["HANDLE", "ID", "CREATED", "NAME"], ...rows]).join("\n"));
    }),
};

/** A tenant chooses its name: nothing in it may steer the operator's terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "\uFFFD");

/** Rows as lines, each column as wide as its longest cell; the last one is not padded. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = rows;
  const widths = first.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("  "),
  );
}
