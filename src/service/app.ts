/** Composition root of the HTTP app. Builds the app from its parts but does not listen. */

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
  createExchange,
  describedImports,
  exchangeParticipants,
  partnerCredential,
  partnerIdentity,
  pushedLeadViews,
} from "../exchange/index.ts";
import { createCallers, refuseWithout } from "./callers.ts";
import { fileOperations, type Spool } from "../files/index.ts";
import { readInstallation } from "./installation-state.ts";
import { createPeople } from "../people/index.ts";
import { createBlockedSql, createErasureLog, privacyOperations } from "../privacy/index.ts";
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
import { separateConnection, createHorizon, type Database } from "../platform/database/index.ts";
import type { DiskReserve, Tls } from "../platform/storage/index.ts";
import {
  addOperation,
  createResponseStore,
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
import { type Participant, recordOperations } from "../records/index.ts";
import { addReference } from "../reference/index.ts";
import { type Config, erasureLogPath } from "../settings/index.ts";
import { createOutcomes, systemOperations } from "../system/index.ts";
import { tenantExportOperations } from "../tenants/index.ts";

export interface AppDeps {
  readonly db: Database;
  /** A limit of 0 or undefined means unlimited. */
  readonly config: Pick<Config, "trustedProxies" | "outgoingAllow" | "rateLimit"> & Partial<Config>;
  /** Rejects writes before the disk is full. */
  readonly disk?: DiskReserve | undefined;
  /**
   * Temporary storage for exports. If omitted, an export is read from the database only as fast as its client reads it.
   */
  readonly spool?: Spool | undefined;
  readonly importSpool?: Spool | undefined;
  readonly outgoing: Outgoing;
  /** Private hosts, addresses and ranges that partners' webhooks may reach. Only tests set this. Default: none. */
  readonly partnerAllow?: readonly string[] | undefined;
  /** If omitted, no emails are sent. */
  readonly mailer?: Mailer;
  readonly clock: Clock;
  /** The parts that modules take in writing records. Only tests set this. Default: those of the exchange. */
  readonly participants?: readonly Participant[] | undefined;
  readonly keys: MasterKey;
  readonly log: Logger;
  /** A client that reads no data from a stream for this long is disconnected. Default: one minute. */
  readonly stall_ms?: number;
  /** How often an idle change stream sends a heartbeat. Default: 15 s. */
  readonly heartbeat_ms?: number;
  readonly tls?: Record<keyof Tls, string | Buffer> | undefined;
  /** The console and portal. If omitted, only the API is served. */
  readonly pages?: Pages | undefined;
  /** Limits for request bodies. Tests override them. */
  readonly bodies?: BodyLimits;
  /** Whether `/readyz` reports that the service is ready. By default, it does so until the app closes. */
  readonly isReady?: (() => boolean) | undefined;
  /** The metrics registry. Default: a new one. */
  readonly register?: Registry | undefined;
  /** Set if several processes serve on one port. */
  readonly metrics?: SharedMetrics | undefined;
  /** If omitted, there are no traces. */
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
  // Use a separate connection, because the horizon's queries must not wait for the transactions that they observe.
  const connection = separateConnection(db.sql);
  app.addHook("onClose", () => connection.end({ timeout: 1 }));
  const horizon = createHorizon(connection);
  const { participants = exchangeParticipants } = deps;
  const writing = { db, clock, makeId, sealer, stall_ms, horizon, participants };
  const stopping = new AbortController();
  app.addHook("preClose", async () => stopping.abort());
  const feed = createChangeFeed({ ...writing, keys, admit, log, heartbeat_ms });
  app.addHook("preClose", async () => feed.close());
  const note = (error: unknown) => log.warn({ err: error }, "The delivery queue failed");
  const queue = createQueue({ sql: db.sql, supervise: false, note });
  app.addHook("onClose", () => queue.close());
  const { outgoingAllow: allow } = config;
  const { outgoing, partnerAllow = [] } = deps;
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
    isBlockedSql: createBlockedSql(sealer),
  });
  const { publicUrl } = config;
  const logPath = erasureLogPath(config);
  const erasureLog = logPath === undefined ? undefined : createErasureLog(logPath, keys, sealer);
  const demo = createDemo({ sql: db.sql, clock, makeId, sealer, log, publicUrl, forgetCallers });
  app.addHook("preClose", () => demo.close());
  const operations: readonly Operation<Caller>[] = [
    ...recordOperations(writing),
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
    ...privacyOperations({ ...writing, erasureLog }),
    ...demo.operations,
    ...tenantExportOperations({ db, clock, makeId, keys, log, stall_ms }),
    ...systemOperations({
      sql: db.sql,
      clock,
      outcomes,
      readInstallation: () => readInstallation({ db, disk, isReady }),
    }),
  ];
  const { sql } = db;
  const responses = createResponseStore({ sql, sealer });
  const inProgress = createInProgress(config.concurrencyLimit ?? 0);
  const limited = { limiter, inProgress };
  const token = { credentialOf: callerCredential };
  const forTenants = {
    authenticate,
    permit: refuseWithout,
    sql,
    disk,
    keyed: { responses, ...token },
    limited: { ...limited, ...token },
    identityOf: callerIdentity,
  };
  for (const operation of operations) await addOperation(app, forTenants, operation);
  const partner = { credentialOf: partnerCredential };
  const forPartners = {
    ...exchange.partnerAuthentication,
    sql,
    disk,
    keyed: { responses, ...partner },
    limited: { ...limited, ...partner },
    identityOf: partnerIdentity,
  };
  for (const operation of exchange.forPartners) await addOperation(app, forPartners, operation);
  const forAnyone = {
    authenticate: async (request: FastifyRequest) => anonymous.countUnused(request),
    permit: () => undefined,
    sql,
  };
  for (const operation of exchange.forAnyone) await addOperation(app, forAnyone, operation);
  const forSessions = {
    authenticate: people.authenticate,
    permit: () => undefined,
    sql,
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

/** Starts the rate limiter on a separate connection, so that its statements every second wait for no request. */
function startLimiter(app: FastifyInstance, { db, clock, config, log }: AppDeps): RateLimiter {
  const sql = separateConnection(db.sql);
  const note = (error: unknown) =>
    log.warn(
      { err: error },
      "Synchronizing rate limits failed; each process counts separately for now",
    );
  const limiter = createRateLimiter({ sql, clock, rateLimit: config.rateLimit, note });
  app.addHook("onClose", async () => {
    await limiter.close();
    await sql.end({ timeout: 1 });
  });
  return limiter;
}
