/** Composition root of HTTP: builds the app from its parts; never listens. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { auditOperations } from "../audit/index.ts";
import {
  accessOperations,
  addAnonymousLimit,
  callerCredential,
  callerIdentity,
  createQuotas,
  createRateLimiter,
  createRefusals,
  createTokenRegistry,
  type Caller,
  type RateLimiter,
} from "../access/index.ts";
import { createQueue, deliveryOperations } from "../delivery/index.ts";
import { createDemo } from "../demo/index.ts";
import {
  createChangeFeed,
  describedEvents,
  eventLanes,
  eventShapes,
  webhookOperations,
} from "../events/index.ts";
import {
  attributionHook,
  createExchange,
  describedImports,
  mergedLeadHook,
  partnerCredential,
  partnerIdentity,
  pushedLeadViews,
} from "../exchange/index.ts";
import { createCallers, refuseWithout } from "./callers.ts";
import { fileOperations, type Spool } from "../files/index.ts";
import { readInstallation } from "./installation-state.ts";
import { createPeople } from "../people/index.ts";
import { type Clock, idSource } from "../platform/clock/index.ts";
import {
  addCompression,
  addPageFiles,
  addTracing,
  type BodyLimits,
  createHttp,
  type Pages,
  refuseOtherMethods,
  refuseOtherOrigins,
} from "../platform/http/index.ts";
import { aside, createHorizon, type Database } from "../platform/database/index.ts";
import type { DiskReserve, Tls } from "../platform/storage/index.ts";
import {
  addOperation,
  createAnswerKeeper,
  createInProgress,
  type Operation,
} from "../platform/operations/index.ts";
import {
  addHealth,
  addMetrics,
  processRegistry,
  type SharedMetrics,
} from "../platform/metrics/index.ts";
import { type Mailer, NO_MAIL, type Outgoing } from "../platform/outgoing/index.ts";
import { createSealer, type MasterKey } from "../platform/secrets/index.ts";
import { type Tracing } from "../platform/tracing/index.ts";
import { recordOperations } from "../records/index.ts";
import { addReference } from "../reference/index.ts";
import type { Config } from "../settings/index.ts";
import { createOutcomes, systemOperations } from "../system/index.ts";

export interface AppDeps {
  readonly db: Database;
  /** Limits that are missing or 0 are none. */
  readonly config: Pick<Config, "trustedProxies" | "outgoingAllow" | "rateLimit"> & Partial<Config>;
  /** Without it writes are not stopped before the disk is full. */
  readonly disk?: DiskReserve | undefined;
  /** Without it exports wait for their readers. */
  readonly spool?: Spool | undefined;
  readonly importSpool?: Spool | undefined;
  readonly outgoing: Outgoing;
  /** Without it nothing is mailed. */
  readonly mailer?: Mailer;
  readonly clock: Clock;
  readonly keys: MasterKey;
  readonly log: Logger;
  /** After how long a reader who takes nothing of a stream is cut; a minute without it. */
  readonly stall_ms?: number;
  /** How often a stream of changes for which there is nothing sends that it lives; 15 s without it. */
  readonly heartbeat_ms?: number;
  readonly tls?: Record<keyof Tls, string | Buffer> | undefined;
  /** The pages for people; the API alone without them. */
  readonly pages?: Pages | undefined;
  /** The limits of bodies, where a test sets others. */
  readonly bodies?: BodyLimits;
  /** Whether requests are still welcome; without it, until the app closes. */
  readonly isReady?: (() => boolean) | undefined;
  /** Holds what the process measures; one of the app's own without it. */
  readonly register?: Registry | undefined;
  /** Where several processes serve on one port. */
  readonly metrics?: SharedMetrics | undefined;
  /** Without it nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { db, clock, keys, log, config, tls, pages } = deps;
  const { trustedProxies, hsts, logAddresses } = config;
  const reading = { trustedProxies, bodies: deps.bodies, ...(tls && { tls }) };
  const app = createHttp({ log, logAddresses, hsts, pages, ...reading });
  if (deps.tracing !== undefined) addTracing(app, deps.tracing);
  const makeId = idSource(clock);
  const refusals = createRefusals({ sql: db.sql, makeId, log });
  app.addHook("onClose", () => refusals.close());
  const limits = { maxRecords: config.maxRecords ?? 0, maxBytes: config.maxBytes ?? 0 };
  const quotas = createQuotas(db.sql, limits);
  const tokens = createTokenRegistry(db.sql, { clock, refusals, quotas });
  app.addHook("onClose", () => tokens.close());
  const refuseOthers = refuseOtherMethods(app);
  if (config.compression === true) await addCompression(app);
  await addReference(app, clock);
  const { register = processRegistry() } = deps;
  addMetrics(app, register, { token: config.metricsToken, shared: deps.metrics });
  const anonymous = addAnonymousLimit(app, { clock, limit: config.anonymousRateLimit ?? 0 });
  const { disk } = deps;
  disk?.addTo(register);
  app.addHook("onError", (_request, _reply, error, done) => {
    disk?.note(error);
    done();
  });
  const { isReady = () => true } = deps;
  addHealth(app, db, isReady);
  const outcomes = createOutcomes({ sql: db.sql, clock, log, disk });
  app.addHook("onResponse", (request, reply, done) => {
    outcomes.note(request, reply);
    done();
  });
  app.addHook("onClose", () => outcomes.close());
  const limiter = startLimiter(app, deps);
  const sealer = createSealer(keys);
  const people = createPeople({
    sql: db.sql,
    clock,
    makeId,
    sealer,
    log,
    refusals,
    quotas,
    mailer: deps.mailer ?? NO_MAIL,
    publicUrl: config.publicUrl,
  });
  app.addHook("onClose", () => people.close());
  const { authenticate, admit, forget: forgetCallers } = createCallers(tokens, people);
  const { stall_ms, heartbeat_ms } = deps;
  // On a connection of its own: what is settled must not wait behind what is not.
  const besides = aside(db.sql);
  app.addHook("onClose", () => besides.end({ timeout: 1 }));
  const horizon = createHorizon(besides);
  const writing = { db, clock, makeId, sealer, stall_ms, horizon, onCreation: attributionHook };
  const stopping = new AbortController();
  app.addHook("preClose", async () => stopping.abort());
  const feed = createChangeFeed({ ...writing, keys, admit, log, heartbeat_ms });
  app.addHook("preClose", async () => feed.close());
  const note = (error: unknown) => log.warn({ err: error }, "The queue of deliveries failed");
  const queue = createQueue({ sql: db.sql, supervise: false, note });
  app.addHook("onClose", () => queue.close());
  const { outgoingAllow: allow, partnerOutgoingAllow: partnerAllow = [] } = config;
  const { outgoing } = deps;
  const shapes = eventShapes({ allow, partnerAllow });
  const pushed = pushedLeadViews(clock);
  const webhooks = { db, clock, makeId, sealer, outgoing, horizon, shapes, pushed };
  const topics = { ...describedEvents(pushed), ...describedImports({ sealer }) };
  const { follow } = feed;
  const exchange = createExchange({
    ...writing,
    keys,
    queue,
    outgoing,
    allow,
    webhooks,
    follow,
    refusals,
    quotas,
  });
  const { publicUrl } = config;
  const demo = createDemo({ sql: db.sql, clock, makeId, sealer, log, publicUrl, forgetCallers });
  app.addHook("preClose", () => demo.close());
  const operations: readonly Operation<Caller>[] = [
    ...recordOperations({ ...writing, onMerge: mergedLeadHook }),
    ...accessOperations({ db, clock, makeId, tokens, forgetCallers, limits }),
    ...people.forTenants,
    ...auditOperations<Caller>(db),
    ...feed.operations,
    ...fileOperations({
      ...writing,
      disk,
      spool: deps.spool,
      importSpool: deps.importSpool,
      stopping: stopping.signal,
    }),
    ...exchange.forTenants,
    ...deliveryOperations({ db, clock, makeId, queue, lanes: eventLanes, topics }),
    ...webhookOperations(webhooks),
    ...demo.operations,
    ...systemOperations({
      sql: db.sql,
      clock,
      outcomes,
      readInstallation: () => readInstallation({ db, disk, isReady }),
    }),
  ];
  const { sql } = db;
  const keeper = createAnswerKeeper({ sql, sealer });
  const inProgress = createInProgress(config.concurrencyLimit ?? 0);
  const limited = { limiter, inProgress };
  const token = { credentialOf: callerCredential };
  const isTimed = config.serverTiming ?? false;
  const forTenants = {
    authenticate,
    permit: refuseWithout,
    sql,
    isTimed,
    disk,
    keyed: { keeper, ...token },
    limited: { ...limited, ...token },
    identityOf: callerIdentity,
  };
  for (const operation of operations) await addOperation(app, forTenants, operation);
  const partner = { credentialOf: partnerCredential };
  const forPartners = {
    ...exchange.partnerAuthentication,
    sql,
    isTimed,
    disk,
    keyed: { keeper, ...partner },
    limited: { ...limited, ...partner },
    identityOf: partnerIdentity,
  };
  for (const operation of exchange.forPartners) await addOperation(app, forPartners, operation);
  const forAnyone = {
    authenticate: async (request: FastifyRequest) => anonymous.countUnused(request),
    permit: () => undefined,
    sql,
    isTimed,
  };
  for (const operation of exchange.forAnyone) await addOperation(app, forAnyone, operation);
  const forSessions = {
    authenticate: people.authenticate,
    permit: () => undefined,
    sql,
    isTimed,
    limited: { ...limited, ...token },
    identityOf: callerIdentity,
  };
  for (const operation of people.forSessions) await addOperation(app, forSessions, operation);
  const forPages = {
    ...forAnyone,
    authenticate: async (request: FastifyRequest) => {
      anonymous.countUnused(request);
      return refuseOtherOrigins(request);
    },
  };
  for (const operation of [...people.forAnyone, ...exchange.forPages]) {
    await addOperation(app, forPages, operation);
  }
  if (pages !== undefined) await addPageFiles(app, pages);
  refuseOthers();
  await app.ready();
  return app;
}

/**
 * Counts on a connection of its own: after an outage the driver tries again the later the more often
 * it was asked, and the counts ask each second.
 */
function startLimiter(app: FastifyInstance, { db, clock, config, log }: AppDeps): RateLimiter {
  const sql = aside(db.sql);
  const note = (error: unknown) =>
    log.warn({ err: error }, "Each process counts requests for itself for now");
  const limiter = createRateLimiter({ sql, clock, rateLimit: config.rateLimit, note });
  app.addHook("onClose", async () => {
    await limiter.close();
    await sql.end({ timeout: 1 });
  });
  return limiter;
}
