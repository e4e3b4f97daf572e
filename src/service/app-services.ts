/** The services that operations use. Each module names the ones it uses in the parameter of its `operations`. */

import type { FastifyInstance } from "fastify";
import { createTokenRegistry } from "../access/index.ts";
import { createQuotas } from "../quotas/index.ts";
import { createRefusals } from "../limits/index.ts";
import type { ContributedTopic, Lanes } from "../delivery/index.ts";
import { createChangeFeed, eventShapes } from "../events/index.ts";
import { createPartnerTokens } from "../exchange/partners/index.ts";
import { createSessionRegistry } from "../people/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { NO_MAIL } from "../platform/outgoing/index.ts";
import { createBlockedSql } from "../privacy/index.ts";
import type { Participant } from "../records/store/index.ts";
import { createOutcomes } from "../system/index.ts";
import type { AppDeps } from "./app-deps.ts";
import { createCallers } from "./callers.ts";
import type { SharedServices } from "./shared-services.ts";

/** What the service has collected from its modules. */
interface Collected {
  readonly topics: Readonly<Record<string, ContributedTopic>>;
  readonly lanes: Lanes;
  readonly participants: readonly Participant[];
  /** The tables that are not part of a tenant file. */
  readonly excludedTables: readonly string[];
  /** Returns the installation's state (schema `Installation`). */
  readonly readInstallation: () => Promise<JsonObject>;
}

export type Services = ReturnType<typeof createServices>;

/** Creates the services. They stop when the app closes. */
export function createServices(
  app: FastifyInstance,
  deps: AppDeps,
  shared: SharedServices & Collected,
) {
  const { sql, clock, makeId, sealer, keys, log, limits } = shared;
  const { config, disk, spool, importSpool, stall_ms, heartbeat_ms, partnerAllow = [] } = deps;
  const { outgoingAllow: allow, publicUrl } = config;
  const refusals = createRefusals({ sql, makeId, log });
  app.addHook("onClose", () => refusals.close());
  const quotas = createQuotas(sql, limits);
  const authentication = { clock, refusals, quotas };
  const tokens = createTokenRegistry(sql, authentication);
  app.addHook("onClose", () => tokens.close());
  const sessions = createSessionRegistry(sql, authentication);
  app.addHook("onClose", () => sessions.close());
  const { authenticate, admit, forget: forgetCallers } = createCallers(tokens, sessions);
  const outcomes = createOutcomes({ sql, clock, log, disk });
  app.addHook("onResponse", (request, reply, done) => {
    outcomes.note(request, reply);
    done();
  });
  app.addHook("onClose", () => outcomes.close());
  const feed = createChangeFeed({ ...shared, admit, stall_ms, heartbeat_ms });
  app.addHook("preClose", async () => feed.close());
  const stopping = new AbortController();
  app.addHook("preClose", async () => stopping.abort());
  return {
    ...shared,
    disk,
    spool,
    importSpool,
    stall_ms,
    publicUrl,
    allow,
    mailer: deps.mailer ?? NO_MAIL,
    refusals,
    quotas,
    tokens,
    sessions,
    partnerTokens: createPartnerTokens(keys, clock),
    authenticate,
    forgetCallers,
    outcomes,
    feed,
    follow: feed.follow,
    webhooks: { ...shared, shapes: eventShapes({ allow, partnerAllow }) },
    isBlockedSql: createBlockedSql(sealer),
    /** Aborted when the service stops. */
    stopping: stopping.signal,
  };
}
