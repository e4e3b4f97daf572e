/**
 * Tracks the party on whose behalf statements are sent. AsyncLocalStorage carries the party, so it
 * does not have to be passed to functions as an argument.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { type Attributes, during, type Span, type Tracing } from "../tracing/index.ts";
import { NO_TENANT, type Party, type WorkClass } from "./flows.ts";

/** The party of a single request. It has no tenant until its credential is known. */
export class RequestParty implements Party {
  tenant = NO_TENANT;
  credential: string;
  workClass: WorkClass = "interactive";
  hasStarted = false;
  /** Whether the response has been sent or the connection has been closed. */
  isClosed = false;
  /** Removes the request from its credential's count of requests in progress. */
  end: (() => void) | undefined;
  readonly span: Span | undefined;

  /** Until the request's credential is known, the request counts toward the network it came from. */
  constructor(network: string, span?: Span) {
    this.credential = network;
    this.span = span;
  }

  /** Sets the tenant and credential that the request counts toward from now on. */
  identify(tenant: string, credential: string): void {
    this.tenant = tenant;
    this.credential = credential;
    this.hasStarted = false;
  }

  close(): void {
    this.isClosed = true;
    this.end?.();
  }
}

/** Work whose statements need no slots, because the work already has a slot or takes one for each part. */
interface PastGates {
  readonly party: Party;
  /** The span of the running transaction, or of the party. */
  readonly span: Span | undefined;
}

const running = new AsyncLocalStorage<Party | PastGates>();

/** The party for the service's own statements, which are never refused. */
const SERVICE: Party = {
  tenant: NO_TENANT,
  credential: "service",
  workClass: "interactive",
  hasStarted: true,
};
const WORKER: Party = { ...SERVICE, credential: "worker", workClass: "background" };

export function currentParty(): Party {
  const store = running.getStore();
  if (store === undefined) return SERVICE;
  return "party" in store ? store.party : store;
}

/** Returns the party on whose behalf the current work must take a slot, or undefined if it needs none. */
export function partyAtGate(): Party | undefined {
  const store = running.getStore();
  if (store === undefined) return SERVICE;
  return "party" in store ? undefined : store;
}

/** Returns the span of the current work, or undefined if it is not traced. */
export const currentSpan = (): Span | undefined => running.getStore()?.span;

export const onBehalfOf = <T>(party: RequestParty, work: () => T): T => running.run(party, work);

/** Runs `work`, and everything it starts, as background work. */
export const inBackground = <T>(work: () => T): T => running.run(WORKER, work);

/** Runs part of the background work so that its statements count toward a tenant. */
export const onBehalfOfTenant = <T>(tenant: string, work: () => T): T =>
  running.run({ ...WORKER, tenant, span: currentSpan() }, work);

/** Runs a background job so that its statements and outgoing calls belong to `span`. */
export const asJob = <T>(span: Span, work: () => T): T => running.run({ ...WORKER, span }, work);

/** Runs background work in a separate trace if tracing is enabled. */
export function tracedJob<T>(
  tracing: Tracing | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing?.start(name, { attributes });
  return span?.isSampled === true ? during(span, () => asJob(span, work)) : work();
}

/** Runs a transaction, whose statements take no slots, in a child span of the current span. */
export function inTransactionSpan<T>(work: () => Promise<T>): Promise<T> {
  const parent = currentSpan();
  if (parent === undefined) return work();
  const attributes = { "db.system.name": "postgresql" };
  const span = parent.start("transaction", { kind: "client", attributes });
  return during(span, () => running.run({ party: currentParty(), span }, work));
}

/** Runs `work` without taking slots for its statements, because it already has a slot or takes one for each part. */
export const pastGates = <T>(party: Party, work: () => T): T =>
  running.run({ party, span: party.span }, work);

/** Marks the current request as bulk work, so that some slots stay free for interactive requests. */
export function becomeBulk(): void {
  const party = currentParty();
  if (party instanceof RequestParty) party.workClass = "bulk";
}

/**
 * Wraps a generator so that all its steps run in the context of the current request. Otherwise, each step would run in
 * the context of the code that requests the next element, such as the event handler of a socket that has become
 * writable.
 */
export function keepingParty<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const inside = AsyncLocalStorage.snapshot();
  const wrapped: AsyncGenerator<T> = {
    next: () => inside(() => source.next()),
    return: (value) => inside(() => source.return(value)),
    throw: (error) => inside(() => source.throw(error)),
    [Symbol.asyncIterator]: () => wrapped,
    [Symbol.asyncDispose]: () => inside(() => source[Symbol.asyncDispose]()),
  };
  return wrapped;
}
