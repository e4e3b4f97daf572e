/** `leadport token create`: an access token for a tenant, alone on stdout (D11.6). */

import { createAccessToken, findTenant, PERMISSIONS } from "../access/index.ts";
import { StartError } from "../platform/start-error.ts";
import { optional, required, type Command, UsageError } from "./command.ts";
import { openInstallation } from "./installation.ts";

export const command: Command = {
  options: {
    tenant: { type: "string", value: "<name>", doc: "Name or id of the tenant. Required." },
    permissions: {
      type: "string",
      value: "<list>",
      doc: `With commas between, of ${PERMISSIONS.join(", ")}. Required.`,
    },
    name: { type: "string", value: "<text>", doc: "What the token is for." },
    owner: { type: "string", value: "<text>", doc: "The person whose records it makes." },
    expires: { type: "string", value: "<date>", doc: "ISO 8601; never without it." },
  },
  notes: "Prints the token and nothing else. It is shown this once.",
  run: async (given) => {
    const permissions = permissionsOf(required(given, "permissions"));
    const tenant = required(given, "tenant");
    const expires_ts = epochOf(optional(given, "expires"));
    const installation = await openInstallation(given.env, { kind: "command", connections: 2 });
    try {
      const { db, clock } = installation;
      const found = await findTenant(db.sql, tenant);
      if (found === undefined) throw new StartError(`There is no tenant ${tenant}.`);
      const { token } = await createAccessToken({ db: db.sql, tenantId: found.tenantId }, clock, {
        name: optional(given, "name") ?? "Command line",
        owner: optional(given, "owner"),
        permissions,
        expires_ts,
      });
      console.log(token);
    } finally {
      await installation.close();
    }
  },
};

function permissionsOf(list: string): (typeof PERMISSIONS)[number][] {
  return list.split(",").map((text) => {
    const found = PERMISSIONS.find((permission) => permission === text.trim());
    if (found !== undefined) return found;
    throw new UsageError(`There is no permission ${text}; there are ${PERMISSIONS.join(", ")}`);
  });
}

function epochOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed_ms = Date.parse(text);
  if (!Number.isNaN(parsed_ms)) return Math.floor(parsed_ms / 1000);
  throw new UsageError(`--expires ${text} is not a date such as 2030-01-31`);
}
