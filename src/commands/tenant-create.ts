/** `leadport tenant create`: adds a business to this installation. */

import { createTenant } from "../access/index.ts";
import { AppError, StartError, ValidationError } from "../platform/errors/index.ts";
import { type Command, optional, UsageError } from "./command.ts";
import { withInstallation } from "./installation.ts";

export const command: Command = {
  positionals: ["<name>"],
  options: {
    handle: {
      type: "string",
      value: "<handle>",
      doc: "Its handle, which never changes. Derived from the name if not given.",
    },
    country: { type: "string", value: "<code>", doc: "Default country of phone numbers (US)." },
    timezone: { type: "string", value: "<name>", doc: "Time zone (UTC)." },
    currency: { type: "string", value: "<code>", doc: "The currency of its money (USD)." },
  },
  notes:
    "Prints the token of its owner, which is shown only once. Other commands address the tenant by its\n" +
    "handle or id: see leadport tenant list.",
  run: async (given) => {
    const [name = ""] = given.positionals;
    if (name.trim() === "") throw new UsageError("The name is empty");
    await withInstallation(given.env, async (installation) => {
      const tenant = {
        name,
        handle: optional(given, "handle"),
        default_country: optional(given, "country"),
        timezone: optional(given, "timezone"),
        currency: optional(given, "currency"),
      };
      try {
        console.log((await createTenant(installation.db.sql, installation, tenant)).ownerToken);
      } catch (error) {
        const isTold = error instanceof AppError || error instanceof ValidationError;
        throw isTold ? new StartError(error.message, { cause: error }) : error;
      }
    });
  },
};
