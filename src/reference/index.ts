/** The documentation that the service serves: openapi.json, the API reference based on it, and the guides. */

import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock/index.ts";
import type { RecordTypes } from "../records/types/index.ts";
import { addDescription, type DescribedModule } from "./description.ts";
import { addRoutes } from "./routes.ts";

interface ReferenceDeps {
  readonly clock: Clock;
  /** The types that the API is described with. */
  readonly types: RecordTypes;
  readonly modules: readonly DescribedModule[];
}

/** Registers the routes of the documentation. It also covers operations that are registered later. */
export async function addReference(
  app: FastifyInstance,
  { clock, types, modules }: ReferenceDeps,
): Promise<void> {
  await addDescription(app, types, modules);
  const tags = modules.flatMap((module) => Object.entries(module.tags ?? {}));
  const samples = modules.flatMap((module) => Object.entries(module.samples ?? {}));
  const texts = { tags: Object.fromEntries(tags), samples: Object.fromEntries(samples) };
  addRoutes(app, clock, { ...texts, types });
}
