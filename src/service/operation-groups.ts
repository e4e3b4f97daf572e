/** Adds the operations of all modules to the app, with the authentication and the limits of their callers. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Caller, callerCredential, callerIdentity } from "../access/index.ts";
import { addAnonymousLimit, createRateLimiter, type RateLimiter } from "../limits/index.ts";
import {
  createPartnerAuthentication,
  type PartnerCaller,
  partnerCredential,
  partnerIdentity,
} from "../exchange/partners/index.ts";
import { separateConnection } from "../platform/database/index.ts";
import { refuseOtherOrigins } from "../platform/http/index.ts";
import type { Operations } from "../platform/modules/index.ts";
import {
  addOperation,
  createInProgress,
  createResponseStore,
  type Operation,
  type OperationGroup,
} from "../platform/operations/index.ts";
import type { AppDeps } from "./app-deps.ts";
import type { Services } from "./app-services.ts";
import { refuseWithout } from "./callers.ts";

type ModuleOperations = Operations<Caller, PartnerCaller>;

interface Groups {
  readonly tenants: OperationGroup<Caller>;
  readonly partners: OperationGroup<PartnerCaller>;
  readonly anyone: OperationGroup<undefined>;
  readonly sessions: OperationGroup<Caller>;
  readonly pages: OperationGroup<undefined>;
}

/** Adds the operations of each group. They stop when the app closes. */
export async function addOperations(
  app: FastifyInstance,
  modules: readonly ModuleOperations[],
  groups: Groups,
): Promise<void> {
  const add = async <C>(
    group: OperationGroup<C>,
    operationsOf: (module: ModuleOperations) => readonly Operation<C>[] | undefined,
  ): Promise<void> => {
    for (const operation of modules.flatMap((module) => operationsOf(module) ?? [])) {
      await addOperation(app, group, operation);
    }
  };
  await add(groups.tenants, ({ tenants }) => tenants);
  await add(groups.partners, ({ partners }) => partners);
  await add(groups.anyone, ({ anyone }) => anyone);
  await add(groups.sessions, ({ sessions }) => sessions);
  await add(groups.pages, ({ pages }) => pages);
  for (const { close } of modules) if (close !== undefined) app.addHook("onClose", close);
}

/** For operations without permissions. */
const permitAll = () => undefined;

export function createGroups(app: FastifyInstance, deps: AppDeps, services: Services): Groups {
  const { sql, clock, sealer, disk, partnerTokens: tokens } = services;
  const { anonymousRateLimit = 0, concurrencyLimit = 0 } = deps.config;
  const anonymous = addAnonymousLimit(app, { clock, limit: anonymousRateLimit });
  const responses = createResponseStore({ sql, sealer });
  const limits = {
    limiter: startLimiter(app, deps),
    inProgress: createInProgress(concurrencyLimit),
  };
  const ofTenants = {
    sql,
    limited: { ...limits, credentialOf: callerCredential },
    identityOf: callerIdentity,
  };
  return {
    tenants: {
      ...ofTenants,
      authenticate: services.authenticate,
      permit: refuseWithout,
      disk,
      keyed: { responses, credentialOf: callerCredential },
    },
    partners: {
      ...createPartnerAuthentication(sql, { ...services, tokens }),
      sql,
      disk,
      keyed: { responses, credentialOf: partnerCredential },
      limited: { ...limits, credentialOf: partnerCredential },
      identityOf: partnerIdentity,
    },
    anyone: {
      authenticate: async (request: FastifyRequest) => anonymous.countUnused(request),
      permit: permitAll,
      sql,
    },
    sessions: { ...ofTenants, authenticate: services.sessions.authenticate, permit: permitAll },
    pages: {
      authenticate: async (request: FastifyRequest) => {
        anonymous.countUnused(request);
        return refuseOtherOrigins(request);
      },
      permit: permitAll,
      sql,
    },
  };
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
