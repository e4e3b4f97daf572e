/** `leadport openapi`: prints the OpenAPI description, like GET /openapi.json. */

import { randomBytes } from "node:crypto";
import { buildApp } from "../service/index.ts";
import { loadConfig } from "../settings/index.ts";
import { connect } from "../platform/database/index.ts";
import { createLog } from "../platform/http/index.ts";
import type { Command } from "./command.ts";

/** A fixed host and time, so that the output is always the same. */
const HOST = "127.0.0.1:8080";
const PRINTED_ms = Date.UTC(2026, 10, 21);

/** Fails if it is called, because this command must not send requests. */
const noNetwork = (): never => {
  throw new Error("This command must not send requests");
};

export const command: Command = {
  notes: "Does not need a database.",
  examples: ["leadport openapi", "leadport openapi > openapi.json"],
  run: async () => {
    // This address is never used: pools connect on first use, and the description is generated without a database.
    const url = "postgres://127.0.0.1:1/none";
    const db = connect({ url, connections: 1, listTimeout_ms: 1000 });
    const app = await buildApp({
      db,
      config: loadConfig({}),
      clock: { now_ms: () => PRINTED_ms },
      keys: { all: [randomBytes(32)] },
      log: createLog("silent"),
      outgoing: { send: noNetwork, close: async () => {} },
    });
    const response = await app.inject({
      method: "GET",
      url: "/openapi.json",
      headers: { host: HOST },
    });
    process.stdout.write(`${JSON.stringify(response.json(), undefined, 2)}\n`);
    await app.close();
    await db.close({ timeout_s: 0 });
  },
};
