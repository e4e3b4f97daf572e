/** Limits on concurrent long requests: no single credential or tenant can use all of them. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import type { AppError } from "../../src/platform/errors/errors.ts";
import { ConcurrencyLimit } from "../../src/platform/http/concurrency-limit.ts";

const LIMITS = { credential: 2, tenant: 3, process: 5 };
const of = (tenant: string, credential: string) => ({
  tenant: { id: tenant },
  credential: { kind: "token", id: credential },
});
const reply = () => ({ raw: new PassThrough() }) as unknown as FastifyReply;

const refusal = (detail: string) => (error: AppError) => {
  assert.deepEqual(
    [error.status, error.message, Number(error.headers["retry-after"]) > 0],
    [429, `${detail}; wait until one has ended`, true],
  );
  return true;
};

test("a credential, a tenant and the process have their limits, each named in the error", () => {
  const running = new ConcurrencyLimit("exports", LIMITS);
  const take = (tenant: string, credential: string) =>
    running.enter(of(tenant, credential), reply());
  take("acme", "a1");
  take("acme", "a1");
  assert.throws(() => take("acme", "a1"), refusal("This token already has 2 exports running"));
  take("acme", "a2");
  assert.throws(() => take("acme", "a3"), refusal("This tenant already has 3 exports running"));
  take("rival", "b1");
  take("rival", "b2");
  assert.throws(() => take("third", "c1"), refusal("The service already has 5 exports running"));
});

test("a place is free again when the response has ended or its reader has disconnected", async () => {
  const running = new ConcurrencyLimit("exports", { credential: 1, tenant: 1, process: 1 });
  for (const end of ["finish", "leave"]) {
    const given = reply();
    running.enter(of("acme", "a"), given);
    assert.throws(() => running.enter(of("acme", "a"), reply()));
    const raw = given.raw as unknown as PassThrough;
    const closed = once(raw, "close");
    if (end === "finish") raw.resume().end();
    else raw.destroy();
    await closed;
    await new Promise(setImmediate);
  }
  const gone = reply();
  gone.raw.destroy();
  running.enter(of("acme", "a"), gone);
  await new Promise(setImmediate);
  running.enter(of("acme", "a"), reply());
});
