/** `leadport token create`: an access token for a tenant, alone on stdout. */

import {
  createAccessToken,
  findOrAddPerson,
  isPermission,
  type Permission,
  PERMISSIONS,
} from "../access/index.ts";
import { SERVICE } from "../audit/index.ts";
import { type Command, optional, required, UsageError } from "./command.ts";
import { withInstallation } from "./installation.ts";
import { chosenTenant, REQUIRED_TENANT } from "./tenant-option.ts";

const KNOWN = Object.keys(PERMISSIONS).join(", ");

export const command: Command = {
  options: {
    tenant: REQUIRED_TENANT,
    permissions: { type: "string", value: "<list>", doc: `With commas between. Required.` },
    name: { type: "string", value: "<text>", doc: "What the token is for." },
    owner: { type: "string", value: "<text>", doc: "The person who owns what it creates." },
    expires: { type: "string", value: "<date>", doc: "ISO 8601; without it the token stays." },
  },
  notes: `Permissions: ${KNOWN}.\nPrints the token and nothing else. It is shown this once.`,
  run: async (given) => {
    const permissions = permissionsOf(required(given, "permissions"));
    const tenant = required(given, "tenant");
    const expires_ts = epochOf(optional(given, "expires"));
    await withInstallation(given.env, async (installation) => {
      const { sql: db } = installation.db;
      const { id: tenantId } = await chosenTenant(db, tenant);
      const person = await findOrAddPerson(db, installation, tenantId, optional(given, "owner"));
      const scope = { db, tenantId, actor: SERVICE };
      const name = optional(given, "name") ?? "Command line";
      const wanted = { name, person, permissions, expires_ts };
      console.log((await createAccessToken(scope, installation, wanted)).token);
    });
  },
};

const permissionsOf = (list: string): Permission[] =>
  list.split(",").map((item) => {
    const text = item.trim();
    if (isPermission(text)) return text;
    throw new UsageError(`There is no permission ${text}; there are ${KNOWN}`);
  });

function epochOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const parsed_ms = Date.parse(text);
  if (!Number.isNaN(parsed_ms)) return Math.floor(parsed_ms / 1000);
  throw new UsageError(`--expires ${text} is not a date such as 2030-01-31`);
}
