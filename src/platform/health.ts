/** Health checks: whether the process runs, and whether it can serve. */

import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Database } from "./db.ts";
import { AppError } from "./errors.ts";
import { migrationState } from "./migrate.ts";

/** How long `/readyz` waits for the database: with the rest it responds within a second. */
const READY_WITHIN_ms = 650;

/** Adds `/healthz` and `/readyz`, which returns 503 while `isReady` returns false. */
export function addHealth(
  app: FastifyInstance,
  { probe }: Pick<Database, "probe">,
  isReady: () => boolean = () => true,
): void {
  const hidden = { schema: { hide: true } as object };
  app.get("/healthz", hidden, async () => ({ status: "ok" }));
  app.get("/readyz", hidden, async (_request, reply) => {
    if (!isReady()) throw new AppError("stopping", { headers: { "retry-after": "2" } });
    const checked = migrationState(probe).then(
      (state) => state.ready,
      () => false,
    );
    const late = delay(READY_WITHIN_ms, false, { ref: false });
    if (await Promise.race([checked, late])) return { status: "ready" };
    return reply
      .code(503)
      .header("retry-after", "2")
      .send({ detail: "The database cannot be reached or is not migrated" });
  });
}
