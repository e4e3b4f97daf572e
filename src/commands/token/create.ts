/** `leadport token create`: creates an access token for a tenant. */

import {
  createAccessToken,
  expiryOf,
  isPermission,
  type Permission,
  PERMISSIONS,
  tokenBodies,
} from "../../access/index.ts";
import { findOrAddPerson } from "../../tenants/index.ts";
import { SERVICE } from "../../audit/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { type Command, optional, refuseIssues, required, UsageError } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";
import { chosenTenant, REQUIRED_TENANT } from "../tenant-option.ts";

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
      value: "<time>",
      doc: "When it expires: ISO 8601 in UTC, or epoch seconds. Default: never.",
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
    const name = optional(given, "name") ?? "Command line";
    const owner = optional(given, "owner");
    const expires_at = timeOf(optional(given, "expires"));
    const body = { name, permissions, owner: owner ?? null, expires_at };
    refuseIssues(tokenBodies(systemClock()).request.check(body), { expires_at: "--expires" });
    const expires_ts = expiryOf(expires_at);
    await withInstallation(given.env, async (installation) => {
      const { sql: db } = installation.db;
      const { id: tenantId } = await chosenTenant(db, tenant);
      const person = await findOrAddPerson(db, installation, tenantId, owner);
      const scope = { db, tenantId, actor: SERVICE };
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

/** Returns epoch seconds as a number, and other times as text. */
const timeOf = (text: string | undefined): string | number | null =>
  text === undefined ? null : /^\d+$/.test(text) ? Number(text) : text;
