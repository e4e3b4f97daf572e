/** On whose behalf statements are sent, by AsyncLocalStorage: no function has to pass it on. */

import { AsyncLocalStorage } from "node:async_hooks";
import { type Attributes, during, type Span, type Tracing } from "../tracing/index.ts";
import { NO_TENANT, type Party, type WorkClass } from "./flows.ts";

/** One request. It belongs to no tenant until its credential is known. */
export class RequestParty implements Party {
  tenant = NO_TENANT;
  credential: string;
  workClass: WorkClass = "interactive";
  hasStarted = false;
  /** The response is sent, or the connection is gone. */
  isClosed = false;
  /** Takes it out of the count of its credential's requests in progress. */
  end: (() => void) | undefined;
  readonly span: Span | undefined;

  /** Until its credential is known, a request counts for its network. */
  constructor(network: string, span?: Span) {
    this.credential = network;
    this.span = span;
  }

  /** The credential is known. What it waits for now counts for its tenant. */
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

/** What is being run without taking slots. */
interface PastGates {
  readonly party: Party;
  /** The span of the transaction that is being run, or of the party. */
  readonly span: Span | undefined;
}

const running = new AsyncLocalStorage<Party | PastGates>();

/** Statements of the service itself: none is refused. */
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

/** Whose statement takes a slot; undefined if what is being run takes none. */
export function partyAtGate(): Party | undefined {
  const store = running.getStore();
  if (store === undefined) return SERVICE;
  return "party" in store ? undefined : store;
}

/** The span of what is being run, if its trace is sent. */
export const currentSpan = (): Span | undefined => running.getStore()?.span;

export const onBehalfOf = <T>(party: RequestParty, work: () => T): T => running.run(party, work);

/** Runs `work`, and all that it starts, as background work. */
export const inBackground = <T>(work: () => T): T => running.run(WORKER, work);

/** Runs a part of background work whose statements count for a tenant. */
export const onBehalfOfTenant = <T>(tenant: string, work: () => T): T =>
  running.run({ ...WORKER, tenant, span: currentSpan() }, work);

/** Runs a background job, whose statements and outgoing calls belong to `span`. */
export const asJob = <T>(span: Span, work: () => T): T => running.run({ ...WORKER, span }, work);

/** Runs a piece of background work in a separate trace, if traces are on. */
export function tracedJob<T>(
  tracing: Tracing | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing?.start(name, { attributes });
  return span?.isSampled === true ? during(span, () => asJob(span, work)) : work();
}

/** Runs a transaction, whose statements take no slots, in a span within the current one. */
export function inTransactionSpan<T>(work: () => Promise<T>): Promise<T> {
  const parent = currentSpan();
  if (parent === undefined) return work();
  const attributes = { "db.system.name": "postgresql" };
  const span = parent.start("transaction", { kind: "client", attributes });
  return during(span, () => running.run({ party: currentParty(), span }, work));
}

/** Runs `work`, whose statements take no slots: it has one already, or takes one for each part. */
export const pastGates = <T>(party: Party, work: () => T): T =>
  running.run({ party, span: party.span }, work);

/** The request that is being run is bulk work from now on: it leaves room for interactive requests. */
export function becomeBulk(): void {
  const party = currentParty();
  if (party instanceof RequestParty) party.workClass = "bulk";
}

/**
 * The same generator, whose steps all run on behalf of the request that is being run now. Otherwise each
 * would run on behalf of whatever asks for the next element, such as a socket that can be written again.
 */
export function keepingParty<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const inside = AsyncLocalStorage.snapshot();
  const kept: AsyncGenerator<T> = {
    next: () => inside(() => source.next()),
    return: (value) => inside(() => source.return(value)),
    throw: (error) => inside(() => source.throw(error)),
    [Symbol.asyncIterator]: () => kept,
    [Symbol.asyncDispose]: () => inside(() => source[Symbol.asyncDispose]()),
  };
  return kept;
}
