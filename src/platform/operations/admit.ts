/** The first step of a request: recognizes its caller, counts the call toward its limits, and checks its permission. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { isRefusedAtGate } from "../errors/index.ts";
import { noteAdmitted } from "../tracing/index.ts";
import type { CallerState, Known } from "./caller-state.ts";
import type { LimitedCredential } from "./limiter.ts";
import type { Operation } from "./operation.ts";
import type { OperationGroup } from "./operation-group.ts";

/** An operation with the group that it belongs to. */
export interface Route<C> {
  readonly group: OperationGroup<C>;
  readonly operation: Operation<C>;
}

/** Counts the request toward its credential's limit of concurrent requests from now on. */
function begin<C>(
  { group, operation }: Route<C>,
  { party }: Known<C>,
  credential: LimitedCredential,
): void {
  if (party === undefined) return;
  party.identify(credential.tenantId, credential.id);
  if (operation.staysOpen === true || party.end !== undefined || party.isClosed) return;
  party.end = group.limited?.inProgress.begin(credential);
}

/**
 * Admits a request. `isFresh` reads the caller from the database instead of a cache. Throws 401, 403 or 429. If the
 * operation is rerun, its request is still counted only once.
 */
export async function admit<C>(
  route: Route<C>,
  request: FastifyRequest,
  reply: FastifyReply,
  isFresh: boolean,
): Promise<CallerState<C>> {
  const { group, operation } = route;
  const known: Known<C> = request;
  known.callerState?.counted?.release();
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
  known.callerState = callerState;
  if (credential !== undefined) begin(route, request, credential);
  if (group.limited !== undefined && credential !== undefined) {
    callerState.counted = await group.limited.limiter.take(credential);
    if (callerState.counted !== undefined) reply.headers(callerState.counted.headers());
  }
  group.permit(caller, operation.permission);
  noteAdmitted(request);
  return callerState;
}

/** Admits a request with the cached caller. If it is rejected, its caller may have changed, so it is read again. */
export async function admitCached<C>(
  route: Route<C>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallerState<C>> {
  try {
    return await admit(route, request, reply, false);
  } catch (error) {
    if (isRefusedAtGate(error)) throw error;
    return admit(route, request, reply, true);
  }
}
