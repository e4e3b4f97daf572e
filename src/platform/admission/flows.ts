/** The parties that share a pool's slots: tenants, their credentials, and the work classes of each credential. */

import type { Span } from "../tracing/index.ts";
import { Group, Share, SlotTime } from "./share.ts";

export const WORK_CLASSES = ["interactive", "bulk", "background"] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

/** The weights by which a credential's slot time is divided when several of its work classes are waiting. */
const WEIGHTS: Readonly<Record<WorkClass, number>> = { interactive: 4, bulk: 2, background: 1 };

/** The key for work without a tenant: credential lookups, sign-ins and the worker's tasks. */
export const NO_TENANT = "";

/** The tenant, credential and work class that a slot is requested for. */
export interface Party {
  readonly tenant: string;
  readonly credential: string;
  readonly workClass: WorkClass;
  /**
   * Whether the request has already had a slot. If so, it is never refused another slot, and it
   * takes precedence over new requests.
   */
  readonly hasStarted: boolean;
  readonly span?: Span | undefined;
}

export type Refusal = "tenant" | "process";

export interface Waiting {
  /** Called once, when the request gets a slot. */
  readonly start: (slot: Slot) => void;
  readonly refuse: (why: Refusal) => void;
  /** Called to fail the request, because the database is not responding. */
  readonly end: (error: Error) => void;
  /** Stops waiting if the request is no longer needed. Returns whether it stopped. */
  readonly drop: () => boolean;
}

export interface Waiter extends Waiting {
  readonly since_ms: number;
  readonly hasStarted: boolean;
}

export interface Slot {
  readonly flow: Flow;
  readonly since_ms: number;
  /** Whether the request had to wait for this slot. If it did not, the slot does not count against any share. */
  readonly counts: boolean;
  isFree: boolean;
}

/** The slots and waiting statements of one work class of a credential. */
export interface Flow {
  readonly workClass: WorkClass;
  readonly share: Share;
  readonly tenant: Tenant;
  readonly credential: Credential;
  /** The queue of further statements of requests that have already started. */
  readonly started: Waiter[];
  readonly fresh: Waiter[];
}

export interface Credential {
  readonly share: Share;
  readonly flows: { [K in WorkClass]?: Flow };
  readonly group: Group<Flow>;
}

export interface Tenant {
  readonly key: string;
  readonly share: Share;
  readonly credentials: Map<string, Credential>;
  readonly group: Group<Credential>;
  /** The slots in use and the waiting requests of this tenant's bulk and background work. */
  readonly notInteractive: { inUse: number; waiting: number };
  /** The slot time used since this entry was created. Entries of idle tenants are evicted. */
  readonly time: SlotTime;
}

/** Maximum number of idle tenants, and of idle credentials per tenant, that are kept in memory. */
const IDLE_TENANTS_MAX = 10_000;
const IDLE_CREDENTIALS_MAX = 64;

export class Flows {
  readonly #tenants = new Map<string, Tenant>();

  get tenants(): Iterable<Tenant> {
    return this.#tenants.values();
  }

  of({ tenant: key, credential: name, workClass }: Party): Flow {
    let tenant = this.#tenants.get(key);
    if (tenant === undefined) {
      forgetIdle(this.#tenants, IDLE_TENANTS_MAX);
      tenant = {
        key,
        share: new Share(),
        credentials: new Map(),
        time: new SlotTime(),
        group: new Group<Credential>(),
        notInteractive: { inUse: 0, waiting: 0 },
      };
      this.#tenants.set(key, tenant);
    }
    let credential = tenant.credentials.get(name);
    if (credential === undefined) {
      forgetIdle(tenant.credentials, IDLE_CREDENTIALS_MAX);
      credential = { share: new Share(), flows: {}, group: new Group<Flow>() };
      tenant.credentials.set(name, credential);
    }
    return (credential.flows[workClass] ??= {
      workClass,
      tenant,
      credential,
      share: new Share(WEIGHTS[workClass]),
      started: [],
      fresh: [],
    });
  }
}

/** Evicts idle entries from a map that has reached its maximum size. */
function forgetIdle(map: Map<string, { readonly share: Share }>, most: number): void {
  if (map.size < most) return;
  for (const [key, { share }] of map) if (share.isIdle) map.delete(key);
}
