/** `leadport tenant list`: lists the tenants of this installation. */

import { listTenants } from "../access/index.ts";
import type { Command } from "./command.ts";
import { withInstallation } from "./installation.ts";
import { columns, JSON_OPTION, printable, printResult } from "./output.ts";

export const command: Command = {
  options: JSON_OPTION,
  notes:
    "Prints the handle, id, creation date and name of each tenant, oldest first. Other commands accept\n" +
    "the handle or id as --tenant. Names need not be unique.",
  examples: ["leadport tenant list", "leadport tenant list --json"],
  run: ({ values, env }) =>
    withInstallation(env, async ({ db }) => {
      const tenants = await listTenants(db.sql);
      const rows = tenants.map(({ id, handle, name, created_date }) => [
        handle,
        id,
        created_date.slice(0, 10),
        printable(name),
      ]);
      const text = columns([["HANDLE", "ID", "CREATED", "NAME"], ...rows]);
      printResult({ values }, tenants, text);
    }),
};
