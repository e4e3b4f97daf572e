/** `leadport openapi`: the description of the API, as GET /openapi.json returns it. */

import { randomBytes } from "node:crypto";
import { buildApp } from "../service/index.ts";
import { loadConfig } from "../settings/index.ts";
import { connect } from "../platform/database/index.ts";
import { createLog } from "../platform/http/index.ts";
import type { Command } from "./command.ts";

/** The host and the time that the description names, so that it is the same each time. */
const HOST = "127.0.0.1:8080";
const PRINTED_ms = Date.UTC(2026, 10, 21);

/** Printing a description calls no one. */
const noNetwork = (): never => {
  throw new Error("There is no network here");
};

export const command: Command = {
  notes: "It needs no database.",
  examples: ["leadport openapi", "leadport openapi > openapi.json"],
  run: async () => {
    // Pools connect when they are used, and the description is made of the code alone.
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
    const answer = await app.inject({
      method: "GET",
      url: "/openapi.json",
      headers: { host: HOST },
    });
    process.stdout.write(`${JSON.stringify(answer.json(), undefined, 2)}\n`);
    await app.close();
    await db.close({ timeout_s: 0 });
  },
};
