/** `leadport person list`: lists the users of a tenant. */

import { listPeople } from "../../people/index.ts";
import { type Command, optional } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { columns, JSON_OPTION, printable, printResult } from "../output.ts";
import { chosenTenant, OPTIONAL_TENANT } from "../tenant-option.ts";

export const command: Command = {
  options: { tenant: OPTIONAL_TENANT, ...JSON_OPTION },
  notes: "Prints the email, role, status and name of each user, oldest first.",
  examples: ["leadport person list", "leadport person list --tenant nordlys-as --json"],
  run: (given) =>
    withInstallation(given.env, async ({ db }) => {
      const { id } = await chosenTenant(db.sql, optional(given, "tenant"));
      const users = await listPeople(db.sql, id);
      const rows = users.map(({ email, role, status, name }) => [
        printable(email ?? "-"),
        role ?? "-",
        status,
        printable(name),
      ]);
      printResult(given, users, columns([["EMAIL", "ROLE", "STATUS", "NAME"], ...rows]));
    }),
};
