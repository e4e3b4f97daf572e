/** `leadport key`: a new master key for MASTER_KEY. */

import { newMasterKey } from "../platform/secrets/index.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  notes: "Keep it: without it nobody reads the encrypted fields again.",
  run: async () => console.log(newMasterKey()),
};
