/** The HTTP app of `leadport worker`: health checks and metrics, and nothing else. */

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Database } from "../platform/database/index.ts";
import { addHealth, addMetrics } from "../platform/metrics/index.ts";
import { createHttp, type LoggedAddress, refuseOtherMethods } from "../platform/http/index.ts";
import type { Tls } from "../platform/storage/index.ts";

export interface WorkerAppDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly tls: Tls | undefined;
  readonly config: {
    readonly trustedProxies: readonly string[];
    readonly metricsToken: string | undefined;
    readonly logAddresses: LoggedAddress;
    readonly hsts: boolean;
  };
  /** Holds what the worker measures. */
  readonly register: Registry;
}

export async function buildWorkerApp(deps: WorkerAppDeps): Promise<FastifyInstance> {
  const { db, log, tls, register } = deps;
  const { trustedProxies, metricsToken, logAddresses, hsts } = deps.config;
  const app = createHttp({ log, trustedProxies, logAddresses, hsts, ...(tls && { tls }) });
  const refuseOthers = refuseOtherMethods(app);
  addMetrics(app, register, { token: metricsToken });
  addHealth(app, db, () => true);
  refuseOthers();
  await app.ready();
  return app;
}
