/** `leadport tenant list`: lists the tenants of this installation. */

import { sizeText } from "../../quotas/index.ts";
import { type ListedTenant, listTenants } from "../../tenant-data/index.ts";
import type { Command } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { columns, JSON_OPTION, printable, printResult } from "../output.ts";

export const command: Command = {
  options: JSON_OPTION,
  notes: [
    "Prints the tenants, oldest first. Other commands accept the handle or id as --tenant; names need not be unique.",
    "Large record counts and the space used are estimates. For exact figures, use leadport tenant quota.",
  ].join("\n"),
  examples: ["leadport tenant list", "leadport tenant list --json"],
  run: ({ values, env, output }) =>
    withInstallation(env, async ({ db }) => {
      const tenants = await listTenants(db.sql);
      const heads = ["HANDLE", "ID", "CREATED", "STATE", "RECORDS", "SPACE", "LAST USE", "NAME"];
      const rows = tenants.map((tenant) => [
        tenant.handle,
        tenant.id,
        tenant.created_date.slice(0, 10),
        stateOf(tenant),
        tenant.records.toLocaleString("en"),
        sizeText(tenant.bytes),
        tenant.last_used_date?.slice(0, 10) ?? "never",
        printable(tenant.name),
      ]);
      printResult({ values, output }, tenants, columns([heads, ...rows]));
    }),
};

const stateOf = ({ state, delete_after_date }: ListedTenant): string =>
  state === "deleted" ? `deletion on ${delete_after_date?.slice(0, 10) ?? ""}` : state;
