/** `leadport token create`: creates an access token for a tenant. */

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
import { JSON_OPTION, printResult } from "./output.ts";
import { chosenTenant, REQUIRED_TENANT } from "./tenant-option.ts";

const KNOWN = Object.keys(PERMISSIONS).join(", ");

export const command: Command = {
  options: {
    tenant: REQUIRED_TENANT,
    permissions: {
      type: "string",
      value: "<list>",
      doc: "Comma-separated permissions. Required.",
    },
    name: { type: "string", value: "<text>", doc: "What the token is for." },
    owner: { type: "string", value: "<text>", doc: "The user who owns the records it creates." },
    expires: {
      type: "string",
      value: "<date>",
      doc: "Expiration date (ISO 8601). Default: never.",
    },
    ...JSON_OPTION,
  },
  notes: `Permissions: ${KNOWN}.\nPrints only the token, which is shown only once.`,
  examples: [
    "leadport token create --tenant default --permissions records:read",
    "leadport token create --tenant nordlys-as --permissions records:read,records:write --name Sync --expires 2030-01-31",
    "leadport token create --tenant default --permissions admin --json",
  ],
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
      const { id, token } = await createAccessToken(scope, installation, wanted);
      printResult(given, { id, name, permissions, expires_ts, token }, token);
    });
  },
};

const permissionsOf = (list: string): Permission[] =>
  list.split(",").map((item) => {
    const text = item.trim();
    if (isPermission(text)) return text;
    throw new UsageError(`Unknown permission: ${text}. Available permissions: ${KNOWN}.`);
  });

function epochOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const parsed_ms = Date.parse(text);
  if (!Number.isNaN(parsed_ms)) return Math.floor(parsed_ms / 1000);
  throw new UsageError(`--expires must be a date such as 2030-01-31, not "${text}".`);
}
