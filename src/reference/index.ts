/** The documentation that the service shows: openapi.json, the reference made of it, and the guides. */

import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock/index.ts";
import { addDescription } from "./description.ts";
import { addRoutes } from "./routes.ts";

/** Adds the documentation. Operations that are added later are described, too. */
export async function addReference(app: FastifyInstance, clock: Clock): Promise<void> {
  await addDescription(app);
  addRoutes(app, clock);
}
