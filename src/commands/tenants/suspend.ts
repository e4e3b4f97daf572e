/** `leadport tenant suspend`: rejects all requests to a tenant. */

import { suspendTenant } from "../../tenants/index.ts";
import type { Command } from "../command.ts";
import { changing } from "./changing.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  notes: [
    "Within a second, every request from the tenant returns 403 tenant_suspended, and no webhook requests are sent.",
    "No data is lost. To undo this, use leadport tenant resume.",
  ].join("\n"),
  examples: ["leadport tenant suspend acme"],
  run: changing(
    suspendTenant,
    (_, given) =>
      `All of its requests are rejected. To undo this, run leadport tenant resume ${given}.`,
  ),
};
