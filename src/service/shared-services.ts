/** The services that both the app and the worker use. */

import { createQueue } from "../delivery/index.ts";
import { pushedLeadViews } from "../exchange/index.ts";
import { idSource } from "../platform/ids/index.ts";
import { separateConnection } from "../platform/database/index.ts";
import { createHorizon } from "../audit/index.ts";
import { createSealer } from "../platform/secrets/index.ts";
import { createErasureLog } from "../privacy/index.ts";
import { BUILT_IN_TYPES } from "../records/types/index.ts";
import { type Config, erasureLogPath } from "../settings/index.ts";
import type { AppDeps } from "./app-deps.ts";

type SharedDeps = Pick<AppDeps, "db" | "clock" | "log" | "keys" | "outgoing"> & {
  readonly config: Partial<Config>;
};

export type SharedServices = ReturnType<typeof createSharedServices>;

/** Call `closeShared` when the services are no longer used. */
export function createSharedServices({ db, clock, log, keys, outgoing, config }: SharedDeps) {
  const { sql } = db;
  const sealer = createSealer(keys);
  const note = (error: unknown) => log.warn({ err: error }, "The delivery queue failed");
  const queue = createQueue({ sql, supervise: false, note });
  // Use a separate connection, because the horizon's queries must not wait for the transactions that they observe.
  const connection = separateConnection(sql);
  const logPath = erasureLogPath(config);
  return {
    db,
    sql,
    clock,
    log,
    keys,
    outgoing,
    sealer,
    queue,
    makeId: idSource(clock),
    /** The record types that the API is described with. Handlers use the types of the tenant. */
    types: BUILT_IN_TYPES,
    horizon: createHorizon(connection),
    pushed: pushedLeadViews(clock),
    erasureLog: logPath === undefined ? undefined : createErasureLog(logPath, keys, sealer),
    /** The quotas of tenants without their own. 0 means unlimited. */
    limits: { maxRecords: config.maxRecords ?? 0, maxBytes: config.maxBytes ?? 0 },
    closeShared: async (): Promise<void> => {
      await Promise.all([queue.close(), connection.end({ timeout: 1 })]);
    },
  };
}
