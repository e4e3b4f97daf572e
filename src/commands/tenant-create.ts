/** `leadport tenant create`: one more business on this installation (D11.6). */

import { createTenant, findTenant } from "../access/index.ts";
import { StartError } from "../platform/start-error.ts";
import { optional, type Command } from "./command.ts";
import { openInstallation } from "./installation.ts";

export const command: Command = {
  positionals: ["<name>"],
  options: {
    country: { type: "string", value: "<code>", doc: "Default country of phone numbers (US)." },
    timezone: { type: "string", value: "<name>", doc: "Time zone (UTC)." },
    currency: { type: "string", value: "<code>", doc: "The currency of its money (USD)." },
  },
  notes: "Prints the token of its owner, which is shown this once.",
  run: async (given) => {
    const { positionals: [name = ""], env } = given;
    const installation = await openInstallation(env, { kind: "command", connections: 2 });
    try {
      if ((await findTenant(installation.db.sql, name)) !== undefined) {
        throw new StartError(`There is a tenant ${name} already.`);
      }
      const { ownerToken } = await createTenant(installation.db.sql, installation.clock, {
        name,
        default_country: optional(given, "country"),
        timezone: optional(given, "timezone"),
        currency: optional(given, "currency"),
      });
      console.log(ownerToken);
    } finally {
      await installation.close();
    }
  },
};
