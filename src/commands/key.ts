/** `leadport key`: prints a new master key for MASTER_KEY. */

import { newMasterKey } from "../platform/secrets/index.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  notes: "Store it safely. Encrypted fields cannot be read without it.",
  examples: ["leadport key", 'MASTER_KEY="$(leadport key)"'],
  run: async ({ output }) => output.log(newMasterKey()),
};
