/** `leadport tenant resume`: lets a suspended tenant accept requests again. */

import { resumeTenant } from "../../tenants/index.ts";
import type { Command } from "../command.ts";
import { changing } from "./changing.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  notes: "Pending webhook requests are sent within three minutes.",
  examples: ["leadport tenant resume acme"],
  run: changing(resumeTenant, () => "Its requests are accepted again."),
};
