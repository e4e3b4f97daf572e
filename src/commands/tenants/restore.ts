/** `leadport tenant restore`: cancels a tenant's deletion within the grace period. */

import { restoreTenant } from "../../tenants/index.ts";
import type { Command } from "../command.ts";
import { changing } from "./changing.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  notes: "A tenant that was suspended before it was deleted stays suspended.",
  examples: ["leadport tenant restore acme"],
  run: changing(restoreTenant, ({ suspended_ts }) =>
    suspended_ts === null
      ? "It is no longer deleted. Its requests are accepted again."
      : "It is no longer deleted, but still suspended. Resume it with leadport tenant resume.",
  ),
};
