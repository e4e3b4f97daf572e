/** Who shares the slots of a pool: tenants, their credentials, and the classes of work of each. */

import type { Span } from "../tracing/index.ts";
import { Group, Share, SlotTime } from "./share.ts";

export const WORK_CLASSES = ["interactive", "bulk", "background"] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

/** Within one credential, how much more slot time a class gets than another one that waits, too. */
const WEIGHTS: Readonly<Record<WorkClass, number>> = { interactive: 4, bulk: 2, background: 1 };

/** The tenant of statements that belong to none: look-ups of credentials, sign-ins, the worker. */
export const NO_TENANT = "";

/** On whose behalf a slot is asked for. */
export interface Party {
  readonly tenant: string;
  readonly credential: string;
  readonly workClass: WorkClass;
  /** It had a slot before: its next ones are not refused, and come before those of new requests. */
  readonly hasStarted: boolean;
  readonly span?: Span | undefined;
}

export type Refusal = "tenant" | "process";

export interface Waiting {
  /** Is called once, when a slot is free. */
  readonly start: (slot: Slot) => void;
  readonly refuse: (why: Refusal) => void;
  /** Fails with an error, since the database does not respond. */
  readonly end: (error: Error) => void;
  /** Gives up if the request need not be carried out any more, and returns whether it did. */
  readonly drop: () => boolean;
}

export interface Waiter extends Waiting {
  readonly since_ms: number;
  readonly hasStarted: boolean;
}

export interface Slot {
  readonly flow: Flow;
  readonly since_ms: number;
  /** Whether the request waited for it. A slot that was free at once does not count for any share. */
  readonly counts: boolean;
  isFree: boolean;
}

/** One class of work of one credential. */
export interface Flow {
  readonly workClass: WorkClass;
  readonly share: Share;
  readonly tenant: Tenant;
  readonly credential: Credential;
  /** Later statements of requests that have started; first in, first out. No Set: see `Gate`. */
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
  /** Its bulk and background work. */
  readonly notInteractive: { inUse: number; waiting: number };
  /** Since the tenant was idle for so long that it was forgotten. */
  readonly time: SlotTime;
}

/** Idle tenants, and idle credentials of a tenant, that are remembered. */
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

/** Makes room in a map of tenants or credentials that has become too large. */
function forgetIdle(map: Map<string, { readonly share: Share }>, most: number): void {
  if (map.size < most) return;
  for (const [key, { share }] of map) if (share.isIdle) map.delete(key);
}
