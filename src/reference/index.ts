/** The documentation that the service serves: openapi.json, the API reference based on it, and the guides. */

import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock/index.ts";
import type { Module } from "../platform/modules/index.ts";
import { addDescription } from "./description.ts";
import { addRoutes } from "./routes.ts";

/** Registers the routes of the documentation. It also covers operations that are registered later. */
export async function addReference(
  app: FastifyInstance,
  clock: Clock,
  modules: readonly Module[],
): Promise<void> {
  await addDescription(app, modules);
  const tags = modules.flatMap((module) => Object.entries(module.tags ?? {}));
  const samples = modules.flatMap((module) => Object.entries(module.samples ?? {}));
  addRoutes(app, clock, { tags: Object.fromEntries(tags), samples: Object.fromEntries(samples) });
}
