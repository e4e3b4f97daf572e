/** Composition root of the HTTP app. Builds the app from its modules but does not listen. */

import type { FastifyInstance } from "fastify";
import {
  addCompression,
  addPageFiles,
  addTracing,
  createHttp,
  refuseOtherMethods,
} from "../platform/http/index.ts";
import { addMetrics, processRegistry } from "../platform/metrics/index.ts";
import { addHealth } from "../platform/health/index.ts";
import { addReference } from "../reference/index.ts";
import type { AppDeps } from "./app-deps.ts";
import { createServices } from "./app-services.ts";
import { readInstallation } from "./installation-state.ts";
import { createTopics, EXCLUDED_FROM_EXPORT, MODULES, PARTICIPANTS } from "./modules.ts";
import { addOperations, createGroups } from "./operation-groups.ts";
import { createSharedServices } from "./shared-services.ts";

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { db, log, config, tls, pages, disk, bodies, isReady = () => true } = deps;
  const { trustedProxies, hsts, logAddresses } = config;
  const app = createHttp({ log, logAddresses, hsts, pages, trustedProxies, bodies, tls });
  if (deps.tracing !== undefined) addTracing(app, deps.tracing);
  const refuseOthers = refuseOtherMethods(app);
  if (config.compression === true) await addCompression(app);
  const shared = createSharedServices(deps);
  await addReference(app, { clock: deps.clock, types: shared.types, modules: MODULES });
  addMonitoring(app, deps, isReady);
  app.addHook("onClose", shared.closeShared);
  const services = createServices(app, deps, {
    ...shared,
    ...createTopics(shared),
    participants: deps.participants ?? PARTICIPANTS,
    excludedTables: Object.keys(EXCLUDED_FROM_EXPORT),
    readInstallation: () => readInstallation({ db, disk, isReady }),
  });
  const operations = MODULES.map((module) => module.operations?.(services) ?? {});
  await addOperations(app, operations, createGroups(app, deps, services));
  if (pages !== undefined) await addPageFiles(app, pages);
  refuseOthers();
  await app.ready();
  return app;
}

function addMonitoring(
  app: FastifyInstance,
  { db, config, disk, metrics, register = processRegistry() }: AppDeps,
  isReady: () => boolean,
): void {
  addMetrics(app, register, { token: config.metricsToken, shared: metrics });
  disk?.addTo(register);
  app.addHook("onError", (_request, _reply, error, done) => {
    disk?.note(error);
    done();
  });
  addHealth(app, db, isReady);
}
