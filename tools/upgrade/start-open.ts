/** `leadport start` for the upgrade test, whose partners receive webhooks on this machine. */

import { startService } from "../../src/commands/run/start.ts";

await startService(process.env, ["127.0.0.1"]);
