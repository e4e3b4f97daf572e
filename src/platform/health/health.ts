/** Health checks, which show whether the process is running and whether it can serve requests. */

import type { FastifyInstance } from "fastify";
import pTimeout from "p-timeout";
import type { Database } from "../database/index.ts";
import { migrationState, release } from "../migrations/index.ts";
import { AppError } from "../errors/index.ts";

/** How long `/readyz` waits for the database, so that it responds within a second. */
const READY_WITHIN_ms = 650;
const RETRY_SOON = { "retry-after": "2" };

/** Returns "ready" if this process can serve requests, or else the reason why it cannot. Takes at most a second. */
export async function readinessOf({ probe }: Pick<Database, "probe">, isReady: () => boolean) {
  if (!isReady()) return "stopping";
  const checked = migrationState(probe).then(
    (state) => state.ready,
    () => false,
  );
  const inTime = pTimeout(checked, { milliseconds: READY_WITHIN_ms, fallback: () => false });
  return (await inTime) ? "ready" : "database_unavailable";
}

/** Adds `/healthz` and `/readyz`, which returns 503 while `isReady` returns false. */
export function addHealth(
  app: FastifyInstance,
  db: Pick<Database, "probe">,
  isReady: () => boolean,
): void {
  const schema: object = { hide: true };
  const hidden = { schema };
  app.get("/healthz", hidden, async () => ({ status: "ok" }));
  app.get("/readyz", hidden, async (_request, reply) => {
    const readiness = await readinessOf(db, isReady);
    if (readiness === "stopping") throw new AppError("stopping", { headers: RETRY_SOON });
    if (readiness === "ready") return { status: readiness, ...release() };
    const detail = "The database is unreachable or not migrated";
    return reply.code(503).headers(RETRY_SOON).send({ detail });
  });
}
