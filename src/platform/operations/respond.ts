/** The last steps of a request: reads its parameters and body, runs the operation, and sends the response. */

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { guardedBy } from "../database/index.ts";
import { isNotStarted } from "../failed-statements/index.ts";
import { isRefusedAtGate } from "../errors/index.ts";
import { noteResponded } from "../tracing/index.ts";
import { admit, type Route } from "./admit.ts";
import type { CallerState } from "./caller-state.ts";
import type { Write } from "./operation.ts";
import { NotConfirmed } from "./operation-group.ts";
import { isNotModified, readHeaders, type ReadHeaders } from "./operation-headers.ts";
import { readRequest } from "./read-request.ts";

/**
 * Runs an operation and sends its response. If its caller was out of date, runs it again with the caller that is now in
 * the database.
 */
export async function respond<C>(
  route: Route<C>,
  request: FastifyRequest,
  reply: FastifyReply,
  known: CallerState<C>,
): Promise<FastifyReply> {
  try {
    return await respondTo(route, request, reply, known);
  } catch (error) {
    const isOutdated = error instanceof NotConfirmed;
    if (known.isFresh && !isOutdated) throw error;
    if (isNotStarted(error) || isRefusedAtGate(error)) throw error;
    const now = await admit(route, request, reply, true);
    const hasChanged = route.group.hasChanged?.(known.caller, now.caller) !== false;
    if (!isOutdated && !hasChanged) throw error;
    return respond(route, request, reply, now);
  }
}

async function respondTo<C>(
  route: Route<C>,
  request: FastifyRequest,
  reply: FastifyReply,
  callerState: CallerState<C>,
): Promise<FastifyReply> {
  const { group, operation } = route;
  if (operation.method !== "GET" && operation.readsOnly !== true) group.disk?.mustHaveSpace();
  const headers = readHeaders(operation, request);
  const body = await bodyOf(route, request, reply, { caller: callerState.caller, headers });
  noteResponded(request);
  callerState.isStreamed ||= body instanceof Readable;
  if (isNotModified(operation, headers, reply)) return reply.code(304).send();
  if (operation.status !== undefined) reply.code(operation.status);
  if (!reply.hasHeader("content-type")) reply.type("application/json");
  return reply.send(body);
}

/** Runs an operation, or returns the response that is stored under the request's Idempotency-Key. */
async function bodyOf<C>(
  { group, operation }: Route<C>,
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, headers }: { readonly caller: C; readonly headers: ReadHeaders },
): Promise<unknown> {
  const { key, conditions, issues } = headers;
  const run = async (write: Write): Promise<unknown> => {
    const read = readRequest(operation, request, caller, issues);
    return operation.run({ caller, ...read, conditions, request, reply, write });
  };
  const { keyed } = group;
  if (key === undefined || keyed === undefined) {
    return run((work) => work(guardedBy(request, group.sql)));
  }
  const sent = {
    credential: keyed.credentialOf(caller),
    key,
    method: operation.method,
    url: request.url,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    isSecret: operation.secretResponse === true,
    status: operation.status ?? 200,
  };
  return keyed.responses.respond(sent, reply, run);
}
