/**
 * Adds an HTTP operation to Fastify. Errors are reported in this order: 401, 429 and 403 before the body is read, then
 * unreadable JSON, then an empty PATCH, and finally all problems in the path, query and body together.
 */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOfAddress } from "../addresses/index.ts";
import { onBehalfOf, RequestParty } from "../admission/index.ts";
import { AppError } from "../errors/index.ts";
import { type PathConfig, spanOf, whenClosed } from "../http/index.ts";
import { beginTiming, sendTiming, timed } from "../tracing/index.ts";
import { admit, admitCached, type Route } from "./admit.ts";
import type { Known } from "./caller-state.ts";
import { settle } from "./limiter.ts";
import { documentation } from "./operation-document.ts";
import type { OperationGroup } from "./operation-group.ts";
import { isNeverStored } from "./operation-headers.ts";
import type { Operation } from "./operation.ts";
import { respond } from "./respond.ts";

/** Maximum body size of operations without a credential, such as signing in with an email and password. */
const ANONYMOUS_MAX_bytes = 4 * 1024;

export async function addOperation<C>(
  app: FastifyInstance,
  group: OperationGroup<C>,
  operation: Operation<C>,
): Promise<void> {
  if (operation.streamed !== true) {
    addRoute(app, group, operation);
    return;
  }
  // Use a separate scope, in which the body is passed on as a stream.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    addRoute(scope, group, operation);
  });
}

function addRoute<C>(
  app: FastifyInstance,
  group: OperationGroup<C>,
  operation: Operation<C>,
): void {
  const route: Route<C> = { group, operation };
  const {
    bodyLimit_bytes: bodyLimit = operation.security === null ? ANONYMOUS_MAX_bytes : undefined,
  } = operation;
  app.route({
    method: operation.method,
    url: operation.url,
    schema: documentation(operation),
    config: { isIdToOthers: operation.isIdToOthers === true } satisfies PathConfig,
    // Records are not compressed, because their ETag identifies the uncompressed bytes.
    ...(operation.returnsRecord === true && { compress: false as const }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    onRequest: async (request, reply) => {
      if (isNeverStored(operation)) reply.header("cache-control", "no-store");
      beginTiming(request, reply);
      refuseEmptyParameters(request);
      // With an Idempotency-Key, the stored response may be returned without running the statement
      // that would confirm the cached caller. The caller is therefore read from the database.
      const isFresh = operation.confirms !== true || "idempotency-key" in request.headers;
      await onBehalfOf(newParty(operation, request), () =>
        isFresh ? admit(route, request, reply, true) : admitCached(route, request, reply),
      );
    },
    onSend: (request, reply, _payload, done) => {
      const { callerState }: Known<C> = request;
      settle(callerState?.counted, reply);
      sendTiming(request, reply, callerState !== undefined && callerState.caller !== undefined);
      done();
    },
    handler: timed(async (request, reply) => {
      const { callerState, party } = request as Required<Known<C>>;
      return onBehalfOf(party, () => respond(route, request, reply, callerState));
    }),
  });
}

/** Makes the party on whose behalf a request uses the database. It ends with the request. */
function newParty<C>(operation: Operation<C>, request: FastifyRequest): RequestParty {
  // Streams that stay open are not traced, because their span would never end.
  const span = operation.staysOpen === true ? undefined : spanOf(request);
  const party = new RequestParty(networkOfAddress(request.ip), span);
  const known: Known<C> = request;
  known.party = party;
  whenClosed(request, () => party.close());
  return party;
}

/** Throws 404 for paths that end in a slash, except for PATCH, where the slash means an empty id. */
export function refuseEmptyParameters({ method, params }: FastifyRequest): void {
  if (method !== "PATCH" && Object.values(params as object).includes("")) {
    throw new AppError("not_found");
  }
}
