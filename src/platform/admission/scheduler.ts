/**
 * Decides which statement gets the next free connection in a pool. The scheduler depends on neither HTTP nor the
 * database. The current time is passed to its methods.
 *
 * A slot is the right to run one statement or transaction. Slots are shared by tenant, then by credential,
 * then by work class. The algorithm is deficit round robin, based on measured slot time: a party that has used
 * more than its share is skipped until the others have caught up. While requests are waiting, a slot stays free
 * only if each of these requests is held back by one of the following limits:
 *
 * - While another tenant is waiting, or had to wait in the last second, a tenant may use at most half of the
 *   slots. Likewise, while another credential of the tenant is waiting, a credential may use at most half of
 *   the tenant's slots.
 * - Bulk and background work leave a fifth of the slots to interactive work.
 * - A fifth of the slots is reserved for newcomers: tenants with nothing running. Half of these slots are also
 *   open to credentials with nothing running. As a result, one tenant's slow statements never fill the pool.
 */

import {
  Flows,
  NO_TENANT,
  type Flow,
  type Party,
  type Refusal,
  type Slot,
  type Tenant,
  type Waiter,
  type Waiting,
  type WorkClass,
} from "./flows.ts";
import { Group, SlotTime } from "./share.ts";

export interface Limits {
  readonly slots: number;
  /**
   * Maximum number of waiting requests per tenant. A fifth of them is reserved for credentials that have no request
   * waiting.
   */
  readonly waitingOfTenantMax: number;
  readonly waitingMax: number;
  /** The time that a request waits for its first slot before it is refused. */
  readonly wait_ms: number;
}

export type Figures = ReturnType<Scheduler["figures"]>;

const noneOfEach = (): { [K in WorkClass]: number } => ({ interactive: 0, bulk: 0, background: 0 });

export class Scheduler {
  readonly #limits: Limits;
  /** The number of slots reserved for newcomers. */
  readonly #spare: number;
  readonly #half: number;
  readonly #regular: number;
  readonly #notInteractiveMax: number;
  readonly #group = new Group<Tenant>();
  readonly #flows = new Flows();
  readonly #inUse = noneOfEach();
  readonly #waiting = noneOfEach();
  readonly #time = {
    interactive: new SlotTime(),
    bulk: new SlotTime(),
    background: new SlotTime(),
  };
  #inUseOfAll = 0;
  #waitingOfAll = 0;

  constructor(limits: Limits) {
    const { slots } = limits;
    this.#limits = limits;
    this.#spare = Math.floor(slots / 5);
    this.#regular = slots - this.#spare;
    this.#half = Math.max(1, Math.floor(this.#regular / 2));
    this.#notInteractiveMax = Math.max(1, Math.floor(this.#regular * 0.8));
  }

  get isWaiting(): boolean {
    return this.#waitingOfAll > 0;
  }

  /** Returns a slot if the party may have one now. If it returns undefined, call `wait`. */
  take(party: Party, now_ms: number): Slot | undefined {
    const flow = this.#flows.of(party);
    return this.#admits(flow, now_ms) ? this.#start(flow, now_ms, false) : undefined;
  }

  /** Queues a request for a slot. Refuses it immediately if too many requests are already waiting. */
  wait(party: Party, waiting: Waiting, now_ms: number): void {
    const flow = this.#flows.of(party);
    this.#noteContention(flow, now_ms);
    const refusal = party.hasStarted ? undefined : this.#refusalOf(flow);
    if (refusal !== undefined) {
      waiting.refuse(refusal);
      return;
    }
    const waiter: Waiter = { ...waiting, since_ms: now_ms, hasStarted: party.hasStarted };
    (party.hasStarted ? flow.started : flow.fresh).push(waiter);
    this.#countWaiting(flow, 1);
  }

  /** Releases a slot, which `dispatch` can then assign to another party. */
  leave(slot: Slot, now_ms: number): void {
    if (slot.isFree) return;
    slot.isFree = true;
    const { flow, since_ms, counts } = slot;
    const took_ms = Math.max(0, now_ms - since_ms);
    this.#inUse[flow.workClass] -= 1;
    this.#inUseOfAll -= 1;
    if (flow.workClass !== "interactive") flow.tenant.notInteractive.inUse -= 1;
    this.#time[flow.workClass].change(-1, now_ms);
    flow.tenant.time.change(-1, now_ms);
    for (const share of sharesOf(flow)) share.leave(counts ? took_ms : 0);
  }

  dispatch(now_ms: number): void {
    while (this.#waitingOfAll > 0 && this.#inUseOfAll < this.#limits.slots) {
      const flow = this.#next(now_ms);
      if (flow === undefined) return;
      const [waiter] = flow.started.length > 0 ? flow.started : flow.fresh;
      if (waiter === undefined) return;
      this.#remove(flow, waiter);
      if (waiter.drop()) continue;
      this.#noteContention(flow, now_ms);
      waiter.start(this.#start(flow, now_ms, true));
    }
  }

  /**
   * Drops abandoned requests, refuses requests that have waited too long, and starts requests that may have a slot now.
   */
  sweep(now_ms: number): void {
    for (const [flow, waiter] of this.#all()) {
      if (waiter.drop()) this.#remove(flow, waiter);
      else if (!waiter.hasStarted && now_ms - waiter.since_ms >= this.#limits.wait_ms) {
        this.#remove(flow, waiter);
        // If the tenant has no slot in use, it did not cause the wait, so the process is reported as the cause.
        waiter.refuse(flow.tenant.share.inUse > 0 ? causeOf(flow) : "process");
      }
    }
    this.dispatch(now_ms);
  }

  clear(end: (waiting: Waiting) => void): void {
    for (const [flow, waiter] of this.#all()) {
      this.#remove(flow, waiter);
      end(waiter);
    }
  }

  /** Returns the slots, their use by work class and tenant, and the total slot time since the process started. */
  figures(now_ms: number) {
    const { interactive, bulk, background } = this.#time;
    return {
      slots: this.#limits.slots,
      in_use: { ...this.#inUse },
      waiting: { ...this.#waiting },
      used_ms: {
        interactive: interactive.at(now_ms),
        bulk: bulk.at(now_ms),
        background: background.at(now_ms),
      },
      tenants: [...this.#flows.tenants].map(({ key, share, time }) => {
        const { inUse: in_use, waiting } = share;
        // The slot time restarts at 0 if the tenant was evicted while idle.
        return { tenant: key, in_use, waiting, used_ms: time.at(now_ms) };
      }),
    };
  }

  #admits(flow: Flow, now_ms: number): boolean {
    const { workClass, tenant, credential, share } = flow;
    const free = this.#limits.slots - this.#inUseOfAll;
    if (free <= 0) return false;
    const inUse = tenant.share.inUse;
    if (free <= this.#spare && inUse > 0) {
      const isNewcomer = credential.share.inUse === 0 && free > this.#spare / 2;
      if (!isNewcomer) return false;
    }
    if (workClass !== "interactive") {
      const notInteractive = this.#inUse.bulk + this.#inUse.background;
      // The last slot for bulk and background work is reserved for a tenant that is using none of these slots.
      const reserved = tenant.notInteractive.inUse > 0 && this.#notInteractiveMax > 1 ? 1 : 0;
      if (notInteractive >= this.#notInteractiveMax - reserved) return false;
    }
    const isShared = this.#group.isContended(tenant, now_ms);
    if (isShared && inUse >= this.#halfFor(flow)) return false;
    if (share.inUse === 0 || !tenant.group.isContended(credential, now_ms)) return true;
    const ofTenant = isShared ? this.#half : this.#regular;
    return credential.share.inUse < Math.max(1, Math.floor(ofTenant / 2));
  }

  /**
   * Returns half of the slots: the most that a tenant may use while other tenants are waiting. Interactive work gets
   * one slot less while the tenant's bulk or background work is waiting and has no slot.
   */
  #halfFor({ workClass, tenant: { notInteractive } }: Flow): number {
    const leavesOne =
      workClass === "interactive" && notInteractive.waiting > 0 && notInteractive.inUse === 0;
    return leavesOne ? Math.max(1, this.#half - 1) : this.#half;
  }

  #start(flow: Flow, now_ms: number, counts: boolean): Slot {
    this.#inUse[flow.workClass] += 1;
    this.#inUseOfAll += 1;
    if (flow.workClass !== "interactive") flow.tenant.notInteractive.inUse += 1;
    // The request got a slot that is reserved for newcomers. Without these slots, it would have had to wait.
    if (this.#inUseOfAll > this.#regular) this.#noteContention(flow, now_ms);
    flow.share.inUse += 1;
    flow.credential.share.inUse += 1;
    flow.tenant.share.inUse += 1;
    this.#time[flow.workClass].change(1, now_ms);
    flow.tenant.time.change(1, now_ms);
    return { flow, since_ms: now_ms, counts, isFree: false };
  }

  #next(now_ms: number): Flow | undefined {
    return this.#group.choose((tenant) =>
      tenant.group.choose((credential) =>
        credential.group.choose((flow) => (this.#admits(flow, now_ms) ? flow : undefined)),
      ),
    );
  }

  #noteContention({ tenant, credential }: Flow, now_ms: number): void {
    // Credential lookups serve all tenants and do not reduce any tenant's slots.
    if (tenant.key !== NO_TENANT) this.#group.noteContention(tenant, now_ms);
    tenant.group.noteContention(credential, now_ms);
  }

  #refusalOf(flow: Flow): Refusal | undefined {
    const { tenant, credential } = flow;
    const { waitingOfTenantMax: most, waitingMax } = this.#limits;
    if (this.#waitingOfAll >= waitingMax) return "process";
    const limit = credential.share.waiting === 0 ? most : most - Math.floor(most / 5);
    return tenant.share.waiting >= limit ? causeOf(flow) : undefined;
  }

  #remove(flow: Flow, waiter: Waiter): void {
    const queue = waiter.hasStarted ? flow.started : flow.fresh;
    const at = queue.indexOf(waiter);
    if (at < 0) return;
    queue.splice(at, 1);
    this.#countWaiting(flow, -1);
  }

  #countWaiting(flow: Flow, by: 1 | -1): void {
    const { tenant, credential, workClass } = flow;
    this.#waiting[workClass] += by;
    this.#waitingOfAll += by;
    if (workClass !== "interactive") tenant.notInteractive.waiting += by;
    credential.group.countWaiting(flow, by);
    tenant.group.countWaiting(credential, by);
    this.#group.countWaiting(tenant, by);
  }

  *#all(): Generator<readonly [Flow, Waiter]> {
    for (const tenant of this.#group.waiting) {
      for (const credential of tenant.group.waiting) {
        for (const flow of credential.group.waiting) {
          for (const waiter of [...flow.started, ...flow.fresh]) yield [flow, waiter];
        }
      }
    }
  }
}

/** Returns the cause to report when a request is refused: its tenant or, for work without a tenant, the process. */
const causeOf = ({ tenant }: Flow): Refusal => (tenant.key === NO_TENANT ? "process" : "tenant");

const sharesOf = ({ share, credential, tenant }: Flow) => [share, credential.share, tenant.share];
