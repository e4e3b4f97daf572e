/** `leadport tenant create`: one more business on this installation (D11.6). */

import { createTenant, isCountry, isCurrency, isTimezone, patchTenant } from "../access/index.ts";
import { SERVICE } from "../audit/index.ts";
import { AppError } from "../platform/errors.ts";
import { StartError } from "../platform/start-error.ts";
import { type Command, type Given, optional, UsageError } from "./command.ts";
import { openInstallation } from "./installation.ts";
import { accessDeps, createOwnerToken } from "./owner-token.ts";

export const command: Command = {
  positionals: ["<name>"],
  options: {
    country: { type: "string", value: "<code>", doc: "Default country of phone numbers (US)." },
    timezone: { type: "string", value: "<name>", doc: "Time zone (UTC)." },
    currency: { type: "string", value: "<code>", doc: "The currency of its money (USD)." },
  },
  notes: "Prints the token of its owner, which is shown this once.",
  run: async (given) => {
    const settings = settingsOf(given);
    const [name = ""] = given.positionals;
    if (name.trim() === "") throw new UsageError("The name is empty");
    const installation = await openInstallation(given.env, { kind: "command", connections: 2 });
    try {
      const { sql } = installation.db;
      const deps = accessDeps(installation);
      const { tenant } = await createTenant(sql, deps, SERVICE, name);
      await patchTenant(sql, deps, tenant.id, SERVICE, settings);
      console.log(await createOwnerToken(installation, tenant.id));
    } catch (error) {
      throw error instanceof AppError ? new StartError(`${error.message}.`) : error;
    } finally {
      await installation.close();
    }
  },
};

const SETTINGS = [
  { option: "country", field: "default_country", isKnown: isCountry },
  { option: "timezone", field: "timezone", isKnown: isTimezone },
  { option: "currency", field: "currency", isKnown: isCurrency },
] as const;

function settingsOf(given: Given): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const { option, field, isKnown } of SETTINGS) {
    const value = optional(given, option);
    if (value === undefined) continue;
    if (!isKnown(value)) throw new UsageError(`--${option} ${value} is not known`);
    settings[field] = value;
  }
  return settings;
}
