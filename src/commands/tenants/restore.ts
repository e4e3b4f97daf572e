/** `leadport tenant restore`: cancels a tenant's deletion within the grace period. */

import { restoreTenant } from "../../access/index.ts";
import type { Command } from "../command.ts";
import { changing } from "./changing.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  notes: "A tenant that was suspended before it was deleted stays suspended.",
  examples: ["leadport tenant restore acme"],
  run: changing(restoreTenant, ({ suspended_ts }) =>
    suspended_ts === null
      ? "It is not deleted. Its requests are accepted again."
      : "It is not deleted. It is still suspended: leadport tenant resume.",
  ),
};
