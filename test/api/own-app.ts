/** Starts a second app with its own settings on an existing database. */

import pino from "pino";
import { randomBytes } from "node:crypto";
import { buildApp } from "../../src/service/app.ts";
import type { Spool } from "../../src/files/spool/index.ts";
import { createOutgoing } from "../../src/platform/outgoing/outgoing.ts";
import { systemClock, type Clock } from "../../src/platform/clock/clock.ts";
import type { BodyLimits } from "../../src/platform/http/incoming-body.ts";
import type { Database } from "../../src/platform/database/db.ts";
import type { LoggedAddress } from "../../src/platform/http/request-log.ts";
import type { MasterKey } from "../../src/platform/secrets/master-key.ts";
import { openPages } from "../../src/platform/http/static-files.ts";
import { BUILT_PAGES } from "../kit/built-pages.ts";
import { atEnd, openPools, type Owner } from "../kit/started.ts";

export interface OwnAppOptions {
  readonly url: string;
  readonly connections?: number;
  readonly listTimeout_ms?: number;
  /** Wraps or replaces the app's database. */
  readonly wrap?: (db: Database) => Database;
  readonly stall_ms?: number;
  readonly heartbeat_ms?: number;
  readonly trustedProxies?: readonly string[];
  readonly clock?: Clock;
  readonly rateLimit?: number;
  readonly anonymousRateLimit?: number;
  readonly concurrencyLimit?: number;
  /** Whether responses are compressed for clients that accept it. */
  readonly compression?: boolean;
  readonly bodies?: BodyLimits;
  readonly metricsToken?: string;
  /** The temporary storage for exports with slow readers. */
  readonly spool?: Spool;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly hsts?: boolean;
  /** Whether the built pages are served as well. */
  readonly hasPages?: boolean;
  readonly logAddresses?: LoggedAddress;
  /** The master keys, newest first. Default: a random key. */
  readonly keys?: MasterKey;
}

/** Starts the app. It stops when the test ends, or earlier if the test calls `stop`. */
export async function startOwnApp(t: Owner, options: OwnAppOptions) {
  const { url: database, connections = 2, listTimeout_ms = 10_000, stall_ms = 60_000 } = options;
  const { trustedProxies = [], clock = systemClock(), rateLimit = 6000 } = options;
  const { anonymousRateLimit = 0, concurrencyLimit = 500 } = options;
  const { heartbeat_ms = 15_000, compression = false } = options;
  const { bodies = {}, metricsToken, spool, tls, hsts = true, hasPages = false } = options;
  const { logAddresses = "full" } = options;
  const { keys = { all: [randomBytes(32)] } } = options;
  const { wrap = (db) => db } = options;
  const db = wrap(openPools(t, { url: database, connections, listTimeout_ms }));
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const outgoing = createOutgoing({ allow: [] });
  atEnd(t, () => outgoing.close());
  const config = {
    trustedProxies,
    outgoingAllow: [],
    rateLimit,
    anonymousRateLimit,
    concurrencyLimit,
    compression,
    metricsToken,
    hsts,
    logAddresses,
  };
  const times = { stall_ms, heartbeat_ms };
  const pages = hasPages ? openPages(BUILT_PAGES) : undefined;
  const service = { db, config, clock, keys, log, outgoing, bodies, spool, tls, pages };
  const app = await buildApp({ ...service, ...times });
  let stopped: Promise<void> | undefined;
  const stopNow = async (): Promise<void> => {
    app.server.closeAllConnections();
    await app.close();
    await outgoing.close();
    await db.close({ timeout_s: 1 });
  };
  const stop = () => (stopped ??= stopNow());
  atEnd(t, stop);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, app, db, stop, log: () => logged.join("") };
}
