/**
 * An operation can use its own statement to confirm that a cached caller is current. These tests check how often such
 * an operation runs.
 */

import assert from "node:assert/strict";
import pino from "pino";
import { test } from "node:test";
import { AppError, ValidationError } from "../../src/platform/errors/index.ts";
import { createHttp } from "../../src/platform/http/index.ts";
import {
  addOperation,
  type OperationGroup,
  NotConfirmed,
} from "../../src/platform/operations/index.ts";

interface Caller {
  /** The version of the stored settings when the caller was read. */
  readonly version: number;
  readonly isRemembered: boolean;
  readonly isSuspended: boolean;
}

const stored = { version: 2, isSuspended: false };
const remembered = { version: 2, isSuspended: false };
const runs: Caller[] = [];
let reads = 0;

const group: OperationGroup<Caller> = {
  authenticate: async (_request, refresh) => {
    if (!refresh) return { ...remembered, isRemembered: true };
    reads += 1;
    if (stored.isSuspended) throw new AppError("unauthenticated");
    return { ...stored, isRemembered: false };
  },
  hasChanged: (before, now) => before.version !== now.version,
  permit: () => undefined,
  sql: {} as never,
};

/** The operation's handler. Tests replace it. */
let work: (caller: Caller) => unknown;

const app = createHttp({ log: pino({ level: "silent" }), trustedProxies: [], bodies: {} });
await addOperation(app, group, {
  method: "POST",
  url: "/pushes",
  id: "push",
  summary: "Push",
  tag: "test",
  permission: "can_push",
  answer: {},
  bodyOptional: true,
  confirms: true,
  run: async ({ caller }) => {
    runs.push(caller);
    return work(caller);
  },
});

/** Calls the operation. Returns its status, how often it ran, and how often the caller was read. */
async function call(versions: Partial<typeof stored>, does: typeof work) {
  Object.assign(stored, { version: 2, isSuspended: false }, versions);
  runs.splice(0);
  reads = 0;
  work = does;
  const { statusCode, body } = await app.inject({ method: "POST", url: "/pushes" });
  return { status: statusCode, runs: runs.length, reads, body };
}

/** Confirms that a cached caller is current, as a push's statement does. */
const confirmed = ({ isRemembered, version }: Caller) => {
  if (isRemembered && version !== stored.version) throw new NotConfirmed();
  return { version };
};
const invalid = () => {
  throw new ValidationError([{ type: "missing", loc: ["body"], msg: "Missing", input: null }]);
};
const conflict = () => {
  throw new AppError("conflict");
};
const broken = () => {
  throw new Error("Broken");
};

const shown = ({ status, runs: count, reads: read }: Awaited<ReturnType<typeof call>>) => ({
  status,
  runs: count,
  reads: read,
});

test("a success for a remembered caller runs once and reads no caller", async () => {
  assert.deepEqual(shown(await call({}, confirmed)), { status: 200, runs: 1, reads: 0 });
});

for (const [status, does] of [
  [422, invalid],
  [409, conflict],
  [500, broken],
] as const) {
  test(`a ${status} for a remembered caller that has not changed runs once`, async () => {
    assert.deepEqual(shown(await call({}, does)), { status, runs: 1, reads: 1 });
  });

  test(`a ${status} for a caller that has changed since runs again for it as it is`, async () => {
    const answer = await call({ version: 3 }, (caller) =>
      caller.isRemembered ? does() : confirmed(caller),
    );
    assert.deepEqual(shown(answer), { status: 200, runs: 2, reads: 1 });
    assert.deepEqual(JSON.parse(answer.body), { version: 3 });
  });
}

test("what is not confirmed runs again for the caller as it is", async () => {
  const answer = await call({ version: 3 }, confirmed);
  assert.deepEqual(shown(answer), { status: 200, runs: 2, reads: 1 });
  assert.deepEqual(JSON.parse(answer.body), { version: 3 });
});

test("what is not confirmed runs again also if the caller reads the same", async () => {
  const answer = await call({}, ({ isRemembered }) => {
    if (isRemembered) throw new NotConfirmed();
    return {};
  });
  assert.deepEqual(shown(answer), { status: 200, runs: 2, reads: 1 });
});

test("a caller that is suspended during the operation receives 401, whatever failed", async () => {
  for (const does of [confirmed, invalid, conflict]) {
    const answer = await call({ version: 3, isSuspended: true }, does);
    assert.deepEqual(shown(answer), { status: 401, runs: 1, reads: 1 });
  }
});
