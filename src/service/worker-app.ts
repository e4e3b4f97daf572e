/** The HTTP app of `leadport worker`, with only health checks and metrics. */

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { addMetrics } from "../platform/metrics/index.ts";
import { addHealth } from "../platform/health/index.ts";
import { createHttp, refuseOtherMethods } from "../platform/http/index.ts";
import type { AppDeps } from "./app-deps.ts";

type WorkerAppDeps = Pick<AppDeps, "db" | "log" | "tls" | "config"> & {
  readonly register: Registry;
};

export async function buildWorkerApp(deps: WorkerAppDeps): Promise<FastifyInstance> {
  const { db, log, tls, register } = deps;
  const { trustedProxies, metricsToken, logAddresses, hsts } = deps.config;
  const app = createHttp({ log, tls, trustedProxies, logAddresses, hsts });
  const refuseOthers = refuseOtherMethods(app);
  addMetrics(app, register, { token: metricsToken });
  addHealth(app, db, () => true);
  refuseOthers();
  await app.ready();
  return app;
}
