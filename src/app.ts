/** Composition root of HTTP: builds the app from its parts; never listens. */

import swagger from "@fastify/swagger";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { auditOperations, CHANGE_SCHEMA } from "./audit/index.ts";
import {
  accessOperations,
  accessSchemas,
  createRateLimiter,
  createTokenRegistry,
  grants,
  isPermission,
  tokenCredential,
  type Caller,
  type RateLimiter,
} from "./access/index.ts";
import { createQueue, deliveryOperations, deliverySchemas } from "./delivery/index.ts";
import {
  createChangeFeed,
  eventLanes,
  eventSchemas,
  eventShapes,
  eventWebhookSchemas,
  webhookOperations,
} from "./events/index.ts";
import {
  attributionHook,
  createExchange,
  exchangeSchemas,
  mergedLeadHook,
  partnerCredential,
} from "./exchange/index.ts";
import { fileOperations, fileSchemas } from "./files/index.ts";
import type { Clock } from "./platform/clock.ts";
import { addCompression } from "./platform/compression.ts";
import { aside, type Database } from "./platform/db.ts";
import { AppError } from "./platform/errors.ts";
import { createAnswerKeeper } from "./platform/idempotency.ts";
import { createHorizon } from "./platform/horizon.ts";
import { createHttp, refuseOtherMethods } from "./platform/http.ts";
import { idSource } from "./platform/ids.ts";
import type { MasterKey } from "./platform/master-key.ts";
import { addMetrics, type SharedMetrics } from "./platform/metrics.ts";
import { migrationState } from "./platform/migrate.ts";
import type { Outgoing } from "./platform/outgoing.ts";
import { addOperation, type Admit, type Operation, type Recognise } from "./platform/operation.ts";
import { addPageFiles, type Pages } from "./platform/pages.ts";
import { createSealer } from "./platform/sealing.ts";
import { printed, type Schema } from "./platform/validation.ts";
import { recordOperations, recordSchemas } from "./records/index.ts";

export interface AppDeps {
  readonly db: Database;
  readonly config: {
    readonly trustedProxies: readonly string[];
    readonly outgoingAllow: readonly string[];
    readonly partnerOutgoingAllow?: readonly string[];
    /** Requests a minute of a credential; 0 is no limit. */
    readonly rateLimit: number;
    /** Whether every answer tells its times. */
    readonly serverTiming?: boolean;
    /** Whether answers are packed for clients that ask for it. */
    readonly compression?: boolean;
  };
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly keys: MasterKey;
  readonly log: Logger;
  /** After how long a reader who takes nothing of a stream is cut; a minute without it (D5.2). */
  readonly stall_ms?: number;
  /** How often a stream of changes for which there is nothing sends that it lives; 15 s without it. */
  readonly heartbeat_ms?: number;
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer } | undefined;
  /** The pages for people; the API alone without them. */
  readonly pages?: Pages | undefined;
  /** Where several processes serve on one port. */
  readonly metrics?: SharedMetrics | undefined;
}

/** The version of the interface (spec 9). */
const INTERFACE_VERSION = "0.1.0";

const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  ErrorDetail: {
    type: "object",
    properties: { detail: { type: "string" } },
    required: ["detail"],
    additionalProperties: true,
  },
  ValidationError: {
    type: "object",
    properties: {
      type: { type: "string" },
      loc: { type: "array", items: { type: ["string", "integer"] } },
      msg: { type: "string" },
      input: {},
      ctx: { type: "object", additionalProperties: true },
    },
    required: ["type", "loc", "msg", "input"],
  },
  HTTPValidationError: {
    type: "object",
    properties: { detail: { type: "array", items: { $ref: "ValidationError#" } } },
    required: ["detail"],
  },
};

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { db, clock, keys, log, config, tls, pages } = deps;
  const { trustedProxies } = config;
  const app = createHttp({ log, trustedProxies, pages, ...(tls && { tls }) });
  const tokens = createTokenRegistry(db.sql, clock);
  app.addHook("onClose", () => tokens.close());
  const refuseOthers = refuseOtherMethods(app);
  if (config.compression === true) await addCompression(app);
  await describe(app);
  addMetrics(app, deps.metrics);
  addHealth(app, db);
  const limiter = startLimiter(app, deps);
  const recognise: Recognise<Caller> = ({ headers, ip, id }) =>
    tokens.recognise(headers.authorization, ip, id);
  const admit: Admit<Caller> = async (request, permission) => {
    const caller = await recognise(request, true);
    refuseWithout(caller, permission);
    return caller;
  };
  const makeId = idSource(clock);
  const sealer = createSealer(keys);
  const { stall_ms, heartbeat_ms } = deps;
  // On a connection of its own: what is settled must not wait behind what is not.
  const besides = aside(db.sql);
  app.addHook("onClose", () => besides.end({ timeout: 1 }));
  const horizon = createHorizon(besides);
  const writing = { db, clock, makeId, sealer, stall_ms, horizon, onCreation: attributionHook };
  const feed = createChangeFeed({ ...writing, keys, admit, log, heartbeat_ms });
  app.addHook("preClose", async () => feed.close());
  const note = (error: unknown) => log.warn({ err: error }, "The queue of deliveries failed");
  const queue = createQueue({ sql: db.sql, supervise: false, note });
  app.addHook("onClose", () => queue.close());
  const { outgoingAllow: allow, partnerOutgoingAllow: partnerAllow = [] } = config;
  const { outgoing } = deps;
  const shapes = eventShapes({ allow, partnerAllow });
  const webhooks = { db, clock, makeId, sealer, outgoing, horizon, shapes };
  const { follow } = feed;
  const exchange = createExchange({ ...writing, keys, queue, outgoing, allow, webhooks, follow });
  const operations: readonly Operation<Caller>[] = [
    ...recordOperations({ ...writing, onMerge: mergedLeadHook }),
    ...accessOperations({ db, clock, makeId, tokens }),
    ...auditOperations<Caller>(db),
    ...feed.operations,
    ...fileOperations(writing),
    ...exchange.forTenants,
    ...deliveryOperations({ db, clock, makeId, queue, lanes: eventLanes }),
    ...webhookOperations(webhooks),
  ];
  const { sql } = db;
  const keeper = createAnswerKeeper({ sql, sealer, clock });
  const token = { credentialOf: tokenCredential };
  const isTimed = config.serverTiming ?? false;
  const forTenants = {
    ...{ recognise, permit: refuseWithout, sql, isTimed },
    ...{ keyed: { keeper, ...token }, limited: { limiter, ...token } },
  };
  for (const operation of operations) await addOperation(app, forTenants, operation);
  const partner = { credentialOf: partnerCredential };
  const forPartners = {
    ...{ ...exchange.partnerDoor, sql, isTimed },
    ...{ keyed: { keeper, ...partner }, limited: { limiter, ...partner } },
  };
  for (const operation of exchange.forPartners) await addOperation(app, forPartners, operation);
  const forAnyone = { recognise: async () => undefined, permit: () => undefined, sql, isTimed };
  for (const operation of exchange.forAnyone) await addOperation(app, forAnyone, operation);
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

/** Throws where a token lacks a permission. */
function refuseWithout({ permissions }: Caller, permission: string): void {
  if (isPermission(permission) && grants(permissions, permission)) return;
  const detail = `This token lacks the permission ${permission}`;
  throw new AppError("not_permitted", { detail });
}

/** openapi.json and the page that shows it (D11.4); the page asks no other host for anything. */
async function describe(app: FastifyInstance): Promise<void> {
  const schemas = {
    ...ERROR_SCHEMAS,
    ...recordSchemas(),
    ...accessSchemas,
    Change: CHANGE_SCHEMA,
    ...eventSchemas,
    ...fileSchemas,
    ...exchangeSchemas,
    ...deliverySchemas,
    ...eventWebhookSchemas,
  };
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Leadport",
        version: INTERFACE_VERSION,
        description:
          "CRM records and partner lead exchange. See docs/ for guides. Asked with " +
          "`Prefer: timing`, every operation tells in `Server-Timing` where its time went.",
      },
      components: {
        securitySchemes: {
          APIKeyHeader: {
            type: "apiKey",
            in: "header",
            name: "Authorization",
            description: "`Bearer ` followed by an access token.",
          },
          PartnerToken: {
            type: "apiKey",
            in: "header",
            name: "Authorization",
            description: "`Partner ` followed by a partner token.",
          },
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  for (const [name, schema] of Object.entries(schemas)) {
    app.addSchema({ ...(printed(schema) as object), $id: name });
  }
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("application/json").send(app.swagger()),
  );
  addDocsPage(app);
}

/**
 * The page is made when it is first asked for: most processes are never asked, and it holds 25 MB.
 */
function addDocsPage(app: FastifyInstance): void {
  let made: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= makeDocsPage();
    const page = await made;
    reply.hijack();
    page.routing(request.raw, reply.raw);
  };
  for (const url of ["/docs", "/docs/*"]) app.get(url, { schema: { hide: true } }, answer);
  app.addHook("onClose", async () => (await made)?.close());
}

async function makeDocsPage(): Promise<FastifyInstance> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  const page = Fastify();
  await page.register(apiReference, {
    routePrefix: "/docs",
    configuration: { url: "/openapi.json", withDefaultFonts: false, telemetry: false },
  });
  await page.ready();
  return page;
}

/** Whether the process lives, and whether it can serve (D11.4). */
function addHealth(app: FastifyInstance, { sql }: Database): void {
  const hidden = { schema: { hide: true } as object };
  app.get("/healthz", hidden, async () => ({ status: "ok" }));
  app.get("/readyz", hidden, async (_request, reply) => {
    const ready = await migrationState(sql).then(
      (state) => state.ready,
      () => false,
    );
    if (ready) return { status: "ready" };
    return reply
      .code(503)
      .header("retry-after", "2")
      .send({ detail: "The database cannot be reached or is not migrated" });
  });
}
