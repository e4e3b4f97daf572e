/**
 * Adds an HTTP operation to Fastify. Errors are reported in this order: 401 and 403 before the body is read, then
 * unreadable JSON, then an empty PATCH, and finally all problems in the path, query and body together.
 */

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { onBehalfOf, RequestParty } from "../admission/index.ts";
import { networkOfAddress } from "../addresses/index.ts";
import { type PathConfig, spanOf, whenClosed } from "../http/index.ts";
import { guardedBy, isNotStarted } from "../database/index.ts";
import { type OperationGroup, NotConfirmed } from "./operation-group.ts";
import { AppError, isRefusedAtGate } from "../errors/index.ts";
import { settle, type LimitedCredential } from "./limiter.ts";
import { documentation } from "./operation-document.ts";
import { isNeverStored, isNotModified, readHeaders } from "./operation-headers.ts";
import { readRequest } from "./read-request.ts";
import { beginTiming, noteAdmitted, noteResponded, sendTiming, timed } from "../tracing/index.ts";
import type { Known, CallerState } from "./caller-state.ts";
import type { Operation, Write } from "./operation.ts";

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
  /** Counts the request toward its credential's limits from now on. */
  const begin = ({ party }: Known<C>, credential: LimitedCredential): void => {
    if (party === undefined) return;
    party.identify(credential.tenantId, credential.id);
    if (operation.staysOpen === true || party.end !== undefined || party.isClosed) return;
    party.end = group.limited?.inProgress.begin(credential);
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply, isFresh: boolean) => {
    // If the operation is rerun, its request must still be counted only once.
    (request as Known<C>).callerState?.counted?.release();
    const caller = await group.authenticate(request, isFresh);
    const credential = group.limited?.credentialOf(caller);
    const callerState: CallerState<C> = {
      caller,
      holder: credential?.id,
      identity: group.identityOf?.(caller),
      isFresh,
      isStreamed: operation.streamed === true,
      counted: undefined,
    };
    (request as Known<C>).callerState = callerState;
    if (credential !== undefined) begin(request, credential);
    if (group.limited !== undefined && credential !== undefined) {
      callerState.counted = await group.limited.limiter.take(credential);
      if (callerState.counted !== undefined) reply.headers(callerState.counted.headers());
    }
    group.permit(caller, operation.permission);
    noteAdmitted(request);
    return callerState;
  };
  const respond = async (
    request: FastifyRequest,
    reply: FastifyReply,
    callerState: CallerState<C>,
  ) => {
    const { caller } = callerState;
    if (operation.method !== "GET" && operation.readsOnly !== true) group.disk?.mustHaveSpace();
    const headers = readHeaders(operation, request);
    const run = async (write: Write): Promise<unknown> => {
      const read = readRequest(operation, request, caller, headers.issues);
      const { conditions } = headers;
      return operation.run({ caller, ...read, conditions, request, reply, write });
    };
    const { keyed } = group;
    const body =
      headers.key === undefined || keyed === undefined
        ? await run((work) => work(guardedBy(request, group.sql)))
        : await keyed.responses.respond(
            {
              credential: keyed.credentialOf(caller),
              key: headers.key,
              method: operation.method,
              url: request.url,
              body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
              isSecret: operation.secretResponse === true,
              status: operation.status ?? 200,
            },
            reply,
            run,
          );
    noteResponded(request);
    callerState.isStreamed ||= body instanceof Readable;
    if (isNotModified(operation, headers, reply)) return reply.code(304).send();
    if (operation.status !== undefined) reply.code(operation.status);
    if (!reply.hasHeader("content-type")) reply.type("application/json");
    return reply.send(body);
  };
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
      // Streams that stay open are not traced, because their span would never end.
      const span = operation.staysOpen === true ? undefined : spanOf(request);
      const party = ((request as Known<C>).party = new RequestParty(
        networkOfAddress(request.ip),
        span,
      ));
      whenClosed(request, () => party.close());
      // With an Idempotency-Key, the stored response may be returned without running the statement
      // that would confirm the cached caller. The caller is therefore read from the database.
      const isFresh = operation.confirms !== true || "idempotency-key" in request.headers;
      await onBehalfOf(party, () => {
        const admitted = admit(request, reply, isFresh);
        if (isFresh) return admitted;
        return admitted.catch((error: unknown) => {
          if (isRefusedAtGate(error)) throw error;
          return admit(request, reply, true);
        });
      });
    },
    onSend: (request, reply, _payload, done) => {
      const { callerState } = request as Known<C>;
      settle(callerState?.counted, reply);
      sendTiming(request, reply, callerState !== undefined && callerState.caller !== undefined);
      done();
    },
    handler: timed(async (request, reply) => {
      const { callerState, party } = request as Required<Known<C>>;
      const respondTo = (known: CallerState<C>): Promise<FastifyReply> =>
        respond(request, reply, known).catch(async (error: unknown) => {
          const isOutdated = error instanceof NotConfirmed;
          if (known.isFresh && !isOutdated) throw error;
          if (isNotStarted(error) || isRefusedAtGate(error)) throw error;
          const now = await admit(request, reply, true);
          const hasChanged = group.hasChanged?.(known.caller, now.caller) !== false;
          // Rerun the operation only if its caller was out of date.
          if (!isOutdated && !hasChanged) throw error;
          return respondTo(now);
        });
      return onBehalfOf(party, () => respondTo(callerState));
    }),
  });
}

/** Throws 404 for paths that end in a slash, except for PATCH, where the slash means an empty id. */
export function refuseEmptyParameters({ method, params }: FastifyRequest): void {
  if (method !== "PATCH" && Object.values(params as object).includes("")) {
    throw new AppError("not_found");
  }
}
