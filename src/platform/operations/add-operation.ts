/**
 * Adds an HTTP operation to Fastify. The order of checks is: 401 and 403 before the body is read, then
 * unreadable JSON, an empty PATCH, and last all that is wrong with path, query and body, together.
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
import { beginTiming, noteAdmitted, noteAnswered, sendTiming, timed } from "../tracing/index.ts";
import type { Known, CallerState } from "./caller-state.ts";
import type { Operation, Write } from "./operation.ts";

/** The body of an operation without a credential: email, password and the like. */
const ANONYMOUS_MAX_bytes = 4 * 1024;

/** Hangs an operation into the app. */
export async function addOperation<C>(
  app: FastifyInstance,
  group: OperationGroup<C>,
  operation: Operation<C>,
): Promise<void> {
  if (operation.streamed !== true) {
    addRoute(app, group, operation);
    return;
  }
  // In a scope of its own, where a body is handed on as the stream that it comes as.
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
  /** What the request waits for from now on counts for its credential. */
  const begin = ({ party }: Known<C>, credential: LimitedCredential): void => {
    if (party === undefined) return;
    party.identify(credential.tenantId, credential.id);
    if (operation.staysOpen === true || party.end !== undefined || party.isClosed) return;
    party.end = group.limited?.inProgress.begin(credential);
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply, isFresh: boolean) => {
    // Counted once, however often it is tried.
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
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    callerState: CallerState<C>,
  ) => {
    const { caller } = callerState;
    if (operation.method !== "GET" && operation.readsOnly !== true) group.disk?.mustHaveSpace();
    const said = readHeaders(operation, request);
    const run = async (write: Write): Promise<unknown> => {
      const read = readRequest(operation, request, caller, said.issues);
      const { conditions } = said;
      return operation.run({ caller, ...read, conditions, request, reply, write });
    };
    const { keyed } = group;
    const answered =
      said.key === undefined || keyed === undefined
        ? await run((work) => work(guardedBy(request, group.sql)))
        : await keyed.keeper.answer(
            {
              credential: keyed.credentialOf(caller),
              key: said.key,
              method: operation.method,
              url: request.url,
              body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
              isSecret: operation.secretAnswer === true,
              status: operation.status ?? 200,
            },
            reply,
            run,
          );
    noteAnswered(request);
    callerState.isStreamed ||= answered instanceof Readable;
    if (isNotModified(operation, said, reply)) return reply.code(304).send();
    if (operation.status !== undefined) reply.code(operation.status);
    if (!reply.hasHeader("content-type")) reply.type("application/json");
    return reply.send(answered);
  };
  const {
    bodyLimit_bytes: bodyLimit = operation.security === null ? ANONYMOUS_MAX_bytes : undefined,
  } = operation;
  app.route({
    method: operation.method,
    url: operation.url,
    schema: documentation(operation),
    config: { isIdToOthers: operation.isIdToOthers === true } satisfies PathConfig,
    // Its ETag names the bytes of one record as they are.
    ...(operation.answersRecord === true && { compress: false as const }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    onRequest: async (request, reply) => {
      if (isNeverStored(operation)) reply.header("cache-control", "no-store");
      beginTiming(request, reply, group.isTimed);
      refuseEmptyNames(request);
      // The statements of a stream that stays open would make its trace endless.
      const span = operation.staysOpen === true ? undefined : spanOf(request);
      const party = ((request as Known<C>).party = new RequestParty(
        networkOfAddress(request.ip),
        span,
      ));
      whenClosed(request, () => party.close());
      // What was answered before is repeated without a statement that would confirm anything.
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
      return onBehalfOf(party, () => {
        const answered = answer(request, reply, callerState);
        if (callerState.isFresh) return answered;
        return answered.catch(async (error: unknown) => {
          if (isNotStarted(error) || isRefusedAtGate(error)) throw error;
          const now = await admit(request, reply, true);
          const hasChanged = group.hasChanged?.(callerState.caller, now.caller) !== false;
          // What failed for another reason, and for the caller as it is, fails again.
          if (!(error instanceof NotConfirmed) && !hasChanged) throw error;
          return answer(request, reply, now);
        });
      });
    }),
  });
}

/** A path that ends in a slash is none, but that of a PATCH: there it is an empty id. */
export function refuseEmptyNames({ method, params }: FastifyRequest): void {
  if (method !== "PATCH" && Object.values(params as object).includes("")) {
    throw new AppError("not_found");
  }
}
