/** The scheduler that admits statements to the database: its guarantees hold for any order of requests. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  WORK_CLASSES,
  type Party,
  type Refusal,
  type Slot,
  type WorkClass,
} from "../../src/platform/admission/flows.ts";
import { Scheduler } from "../../src/platform/admission/scheduler.ts";

const SLOTS = 10;
const REGULAR = 8;
const HALF = 4;
const NOT_INTERACTIVE_MAX = 6;
const LIMITS = { slots: SLOTS, waitingOfTenantMax: 500, waitingMax: 5000, wait_ms: 5000 };

interface Client extends Party {
  /** How long each of the client's statements takes. */
  readonly cost_ms: number;
}

const client = (tenant: string, cost_ms: number, more: Partial<Client> = {}): Client => ({
  tenant,
  credential: tenant,
  workClass: "interactive",
  hasStarted: false,
  cost_ms,
  ...more,
});

interface Running {
  readonly by: Client;
  readonly slot: Slot;
  readonly end_ms: number;
}

/** Runs clients against a scheduler in simulated time. */
class Simulation {
  readonly scheduler: Scheduler;
  now_ms = 0;
  running: Running[] = [];
  readonly started = new Map<string, number>();
  readonly used_ms = new Map<string, number>();
  readonly refused: Refusal[] = [];
  readonly starts: { readonly by: Client; readonly at_ms: number }[] = [];
  /** Called when a statement has ended. */
  onEnd: (by: Client) => void = () => undefined;

  constructor(limits = LIMITS) {
    this.scheduler = new Scheduler(limits);
  }

  send(by: Client, isGone: () => boolean = () => false): void {
    const slot = this.scheduler.take(by, this.now_ms);
    if (slot !== undefined) {
      this.#start(by, slot);
      return;
    }
    const waiting = {
      start: (given: Slot) => this.#start(by, given),
      refuse: (why: Refusal) => void this.refused.push(why),
      end: () => undefined,
      drop: isGone,
    };
    this.scheduler.wait(by, waiting, this.now_ms);
  }

  #start(by: Client, slot: Slot): void {
    this.started.set(by.credential, (this.started.get(by.credential) ?? 0) + 1);
    this.starts.push({ by, at_ms: this.now_ms });
    this.running.push({ by, slot, end_ms: this.now_ms + by.cost_ms });
  }

  /** Ends the statement that is due next and lets waiting statements start. Returns false if nothing is running. */
  step(): boolean {
    const next = this.running.toSorted((a, b) => a.end_ms - b.end_ms)[0];
    if (next === undefined) return false;
    this.now_ms = Math.max(this.now_ms, next.end_ms);
    this.running = this.running.filter((one) => one !== next);
    const { credential, cost_ms } = next.by;
    this.used_ms.set(credential, (this.used_ms.get(credential) ?? 0) + cost_ms);
    this.scheduler.leave(next.slot, this.now_ms);
    this.scheduler.dispatch(this.now_ms);
    this.onEnd(next.by);
    return true;
  }

  /** Until `until_ms`, keeps `atOnce` statements of each client running or waiting. */
  runClosed(load: readonly (readonly [by: Client, atOnce: number])[], until_ms: number): void {
    this.onEnd = (by) => this.now_ms < until_ms && this.send(by);
    for (const [by, atOnce] of load) for (let n = 0; n < atOnce; n++) this.send(by);
    while (this.now_ms < until_ms && this.step());
    this.onEnd = () => undefined;
  }

  countRunning(counts: (by: Client) => boolean): number {
    return this.running.filter(({ by }) => counts(by)).length;
  }

  get waiting(): number {
    const { waiting } = this.scheduler.figures(this.now_ms);
    return WORK_CLASSES.reduce((sum, name) => sum + waiting[name], 0);
  }
}

const times = (count: number, work: () => void): void => {
  for (let n = 0; n < count; n++) work();
};

/** Requests from any tenant and credential, of any class and duration. Some clients disconnect while they wait. */
const requests = fc.array(
  fc.record({
    tenant: fc.integer({ min: 0, max: 3 }),
    credential: fc.integer({ min: 0, max: 2 }),
    workClass: fc.constantFrom(...WORK_CLASSES),
    cost_ms: fc.integer({ min: 1, max: 3000 }),
    isGone: fc.boolean(),
    steps: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 120 },
);

/** Asserts what the limits guarantee at all times. */
function checkLimits(sim: Simulation): void {
  const { slots, in_use, waiting, used_ms, tenants } = sim.scheduler.figures(sim.now_ms);
  const inUse = in_use.interactive + in_use.bulk + in_use.background;
  assert.equal(inUse, sim.running.length);
  assert.ok(inUse <= slots);
  assert.ok(in_use.bulk + in_use.background <= NOT_INTERACTIVE_MAX);
  const sum = (of: "in_use" | "waiting") => tenants.reduce((total, one) => total + one[of], 0);
  assert.equal(sum("in_use"), inUse);
  assert.equal(sum("waiting"), waiting.interactive + waiting.bulk + waiting.background);
  for (const { in_use: ofTenant } of tenants) assert.ok(ofTenant <= REGULAR);
  const running_ms = sim.running.map(({ by, end_ms }) => sim.now_ms - (end_ms - by.cost_ms));
  const expected_ms = [...sim.used_ms.values(), ...running_ms].reduce((total, ms) => total + ms, 0);
  const used = [Object.values(used_ms), tenants.map((one) => one.used_ms)];
  for (const parts of used) {
    assert.equal(
      parts.reduce((total, ms) => total + ms, 0),
      expected_ms,
    );
  }
}

test("whatever is sent in whatever order, limits hold, and everything is started or dropped in the end", () => {
  fc.assert(
    fc.property(requests, (sent) => {
      const sim = new Simulation({ ...LIMITS, wait_ms: Infinity });
      let dropped = 0;
      for (const { tenant, credential, isGone, steps, ...rest } of sent) {
        const by = {
          ...rest,
          tenant: `T${tenant}`,
          credential: `C${credential}`,
          hasStarted: false,
        };
        sim.send(by, () => isGone && ((dropped += 1), true));
        checkLimits(sim);
        times(steps, () => {
          sim.step();
          checkLimits(sim);
        });
      }
      for (;;) {
        while (sim.step()) checkLimits(sim);
        if (sim.waiting === 0) break;
        // If a request waits although a slot is free, a limit is the reason. This limit expires, so advance the clock.
        sim.now_ms += 1000;
        sim.scheduler.sweep(sim.now_ms);
        assert.ok(
          sim.running.length > 0 || sim.waiting === 0,
          "with all slots free something starts",
        );
      }
      assert.equal(sim.starts.length + dropped, sent.length);
      assert.deepEqual(sim.refused, []);
    }),
  );
});

test("a tenant alone uses all regular slots, and its bulk work leaves a fifth to interactive work", () => {
  for (const [workClass, most] of [
    ["interactive", REGULAR],
    ["bulk", NOT_INTERACTIVE_MAX - 1],
    ["background", NOT_INTERACTIVE_MAX - 1],
  ] as const) {
    const sim = new Simulation();
    times(40, () => sim.send(client("A", 100, { workClass })));
    assert.equal(sim.running.length, most, workClass);
    sim.step();
    assert.equal(sim.running.length, most, workClass);
    // The credential's interactive work starts although its bulk work is waiting.
    if (workClass !== "interactive") {
      times(2, () => sim.send(client("A", 100)));
      assert.equal(
        sim.countRunning((by) => by.workClass === "interactive"),
        2,
      );
    }
  }
});

test("slow bulk work of one tenant never keeps the first one of another tenant waiting", () => {
  const sim = new Simulation();
  times(40, () => sim.send(client("A", 60_000, { workClass: "bulk" })));
  sim.send(client("B", 5, { workClass: "bulk" }));
  assert.equal(
    sim.countRunning(({ tenant }) => tenant === "B"),
    1,
  );
  assert.equal(sim.running.length, NOT_INTERACTIVE_MAX);
});

test("slow statements of one tenant never keep the first ones of another tenant or credential waiting", () => {
  const sim = new Simulation();
  times(100, () => sim.send(client("A", 60_000)));
  sim.send(client("A", 5, { credential: "another of A" }));
  assert.equal(
    sim.countRunning(({ credential }) => credential === "another of A"),
    1,
  );
  sim.send(client("B", 5));
  assert.equal(
    sim.countRunning(({ tenant }) => tenant === "B"),
    1,
  );
});

test("while another tenant waits, a tenant starts nothing beyond half of the slots", () => {
  const sim = new Simulation();
  sim.runClosed(
    [
      [client("A", 200), 50],
      [client("B", 10), 50],
    ],
    2000,
  );
  assert.ok(sim.countRunning(({ tenant }) => tenant === "A") <= HALF);
  assert.ok(sim.countRunning(({ tenant }) => tenant === "B") <= HALF);
  assert.equal(sim.running.length, REGULAR, "and together they use all");
});

test("a second after the last other tenant has waited, a tenant has all regular slots again", () => {
  const sim = new Simulation();
  times(30, () => sim.send(client("A", 3000)));
  times(5, () => sim.send(client("B", 1)));
  while (sim.countRunning(({ tenant }) => tenant === "B") > 0 || sim.waiting > 30) sim.step();
  sim.now_ms += 5000;
  while (sim.step() && sim.now_ms < 8000);
  sim.scheduler.sweep(sim.now_ms + 1000);
  assert.equal(
    sim.countRunning(({ tenant }) => tenant === "A"),
    REGULAR,
  );
});

test("a credential starts nothing beyond half of its tenant's slots while another one waits", () => {
  const sim = new Simulation();
  const partner = client("A", 300, { credential: "partner" });
  const user = client("A", 10, { credential: "user" });
  sim.runClosed(
    [
      [partner, 50],
      [user, 50],
      [client("B", 10), 50],
    ],
    5000,
  );
  assert.ok(sim.countRunning(({ credential }) => credential === "partner") <= HALF / 2);
});

test("a tenant's bulk work is started although its interactive work would use all it may", () => {
  const sim = new Simulation({ ...LIMITS, wait_ms: Infinity });
  const bulk = { workClass: "bulk", credential: "bulk" } as const;
  sim.runClosed(
    [
      [client("A", 20), 40],
      [client("A", 20, bulk), 2],
      [client("B", 20, bulk), 40],
      [client("C", 20, bulk), 40],
    ],
    10_000,
  );
  const ofA = sim.starts.filter(({ by }) => by.tenant === "A" && by.workClass === "bulk");
  assert.ok(ofA.length > 50, `${ofA.length} times`);
});

const ratio = (a = 0, b = 0): number => a / b;

test("tenants whose statements cost 100 times as much get the same slot time, not the same count", () => {
  const sim = new Simulation({ ...LIMITS, wait_ms: Infinity });
  const load = [1, 100, 100].map((cost_ms, at) => [client(`T${at}`, cost_ms), 40] as const);
  sim.runClosed(load, 120_000);
  const [fast, slow, slower] = ["T0", "T1", "T2"].map((name) => sim.used_ms.get(name) ?? 0);
  for (const other of [slow, slower]) {
    assert.ok(ratio(fast, other) > 0.8 && ratio(fast, other) < 1.25, `${fast} ${slow} ${slower}`);
  }
  assert.ok(ratio(sim.started.get("T0"), sim.started.get("T1")) > 60);
});

test("credentials of a tenant get the same slot time as each other", () => {
  const sim = new Simulation({ ...LIMITS, wait_ms: Infinity });
  const load = [2, 50, 200].map(
    (cost_ms, at) => [client("A", cost_ms, { credential: `C${at}` }), 30] as const,
  );
  sim.runClosed(load, 120_000);
  const [a, b, c] = ["C0", "C1", "C2"].map((name) => sim.used_ms.get(name) ?? 0);
  for (const other of [b, c]) {
    assert.ok(ratio(a, other) > 0.75 && ratio(a, other) < 1.33, `${a} ${b} ${c}`);
  }
});

test("no client starves: each credential of each tenant is started again and again", () => {
  const parties = fc.uniqueArray(
    fc.record({
      tenant: fc.constantFrom("A", "B", "C"),
      credential: fc.constantFrom("1", "2"),
      workClass: fc.constantFrom<WorkClass>(...WORK_CLASSES),
      cost_ms: fc.integer({ min: 4, max: 100 }),
      atOnce: fc.integer({ min: 1, max: 20 }),
    }),
    {
      minLength: 2,
      maxLength: 8,
      selector: ({ tenant, credential, workClass }) => `${tenant} ${credential} ${workClass}`,
    },
  );
  fc.assert(
    fc.property(parties, (given) => {
      const sim = new Simulation({ ...LIMITS, wait_ms: Infinity });
      const load = given.map(({ atOnce, ...rest }) => [client("", 0, rest), atOnce] as const);
      sim.runClosed(load, 6000);
      for (const [by] of load) {
        const own = sim.starts.filter(
          ({ by: { tenant, credential }, at_ms }) =>
            tenant === by.tenant && credential === by.credential && at_ms > 3000,
        );
        assert.ok(own.length > 1, `${by.tenant} ${by.credential}`);
      }
    }),
    { numRuns: 50 },
  );
});

test("500 requests of a tenant wait, the last 100 of them only of credentials with nothing waiting", () => {
  const sim = new Simulation();
  times(REGULAR + 401, () => sim.send(client("A", 1000)));
  assert.equal(sim.waiting, 400);
  assert.deepEqual(sim.refused, ["tenant"]);
  for (let at = 0; at < 104; at++) sim.send(client("A", 1000, { credential: `C${at}` }));
  // One request started immediately, in a slot reserved for newcomers.
  assert.equal(sim.waiting, 500);
  assert.equal(sim.refused.length, 4);
  // Requests from another tenant, and requests that have already started, are not affected.
  sim.send(client("B", 1000));
  assert.equal(
    sim.countRunning(({ tenant }) => tenant === "B"),
    1,
  );
  sim.send(client("A", 1000, { hasStarted: true }));
  assert.equal(sim.waiting, 501);
  assert.equal(sim.refused.length, 4);
});

test("the process rejects requests of all tenants when 5,000 wait", () => {
  const sim = new Simulation();
  for (let at = 0; at < 5020; at++) sim.send(client(`T${at}`, 1000));
  assert.equal(sim.waiting, 5000);
  assert.deepEqual([...new Set(sim.refused)], ["process"]);
  assert.equal(sim.refused.length, 5020 - 5000 - SLOTS);
});

test("after 5 s a request is rejected: because of its tenant, or of the others if its tenant has no slot", () => {
  const sim = new Simulation();
  times(20, () => sim.send(client("A", 60_000)));
  times(2, () => sim.send(client("B", 60_000)));
  sim.send(client("C", 60_000));
  for (const tenant of ["D", "E"]) sim.send(client(tenant, 10));
  sim.scheduler.sweep(4999);
  assert.deepEqual(sim.refused, []);
  sim.scheduler.sweep(5000);
  assert.equal(sim.waiting, 0);
  assert.equal(sim.refused.filter((why) => why === "process").length, 2);
  assert.equal(sim.refused.filter((why) => why === "tenant").length, 13);
});

test("later statements of a request that has started are not rejected and come first", () => {
  const sim = new Simulation();
  times(20, () => sim.send(client("A", 7000)));
  sim.send(client("A", 1, { hasStarted: true }));
  sim.scheduler.sweep(6000);
  assert.equal(sim.waiting, 1);
  sim.send(client("A", 2));
  sim.send(client("A", 1, { hasStarted: true }));
  sim.step();
  assert.equal(
    sim.countRunning(({ cost_ms }) => cost_ms === 1),
    1,
  );
});

test("a request whose client has disconnected is dropped when it is next, and by the next sweep", () => {
  const sim = new Simulation();
  times(REGULAR, () => sim.send(client("A", 100)));
  let isGone = false;
  const dropped: string[] = [];
  for (const name of ["first", "second"]) {
    sim.send(client("A", 10, { credential: "A" }), () => isGone && dropped.push(name) > 0);
  }
  isGone = true;
  sim.step();
  assert.deepEqual(dropped, ["first", "second"]);
  assert.equal(sim.waiting, 0);
  assert.equal(sim.running.length, REGULAR - 1);
  times(2, () => sim.send(client("A", 10), () => dropped.push("third") > 0));
  sim.scheduler.sweep(sim.now_ms);
  assert.equal(sim.waiting, 0);
});
