/** `leadport tenant suspend`: rejects all requests to a tenant. */

import { suspendTenant } from "../../access/index.ts";
import type { Command } from "../command.ts";
import { changing } from "./changing.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  notes: [
    "Within a second, every request of the tenant returns 403 tenant_suspended, and no webhook requests are sent.",
    "Nothing is lost: undo it with leadport tenant resume.",
  ].join("\n"),
  examples: ["leadport tenant suspend acme"],
  run: changing(
    suspendTenant,
    () => "All of its requests are refused. Undo it with leadport tenant resume.",
  ),
};
