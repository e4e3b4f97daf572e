/** `leadport tenant create`: adds a tenant to this installation. */

import { TENANT_BODY, createTenant } from "../../access/index.ts";
import { readTenant } from "../../tenants/index.ts";
import { type Command, optional, refuseIssues, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";

export const command: Command = {
  positionals: ["<name>"],
  options: {
    handle: {
      type: "string",
      value: "<handle>",
      doc: "The handle, which never changes. Default: derived from the name.",
    },
    country: {
      type: "string",
      value: "<code>",
      doc: "The country of phone numbers without a country code. Default: US.",
    },
    timezone: { type: "string", value: "<name>", doc: "Time zone. Default: UTC." },
    currency: { type: "string", value: "<code>", doc: "Currency of amounts. Default: USD." },
    ...JSON_OPTION,
  },
  notes:
    "Prints the owner's token, which is shown only once. In other commands, refer to the tenant by its\n" +
    "handle or id: see leadport tenant list.",
  examples: [
    'leadport tenant create "Nordlys AS" --country NO --currency NOK --timezone Europe/Oslo',
    "leadport tenant create Acme --handle acme --json",
  ],
  run: async (given) => {
    const [name = ""] = given.positionals;
    if (name.trim() === "") throw new UsageError("<name> must not be empty.");
    refuseIssues(TENANT_BODY.check({ name }), { name: "<name>" });
    const create = async (installation: Installation): Promise<void> => {
      const wanted = {
        name,
        handle: optional(given, "handle"),
        default_country: optional(given, "country"),
        timezone: optional(given, "timezone"),
        currency: optional(given, "currency"),
      };
      const created = await createTenant(installation.db.sql, installation, wanted);
      const { tenant, ownerToken: owner_token } = created;
      const stored = await readTenant(installation.db.sql, tenant.id);
      printResult(given, { ...stored, owner_token }, owner_token);
    };
    await withInstallation(given.env, create, { mayCreate: true });
  },
};
