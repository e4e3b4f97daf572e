/** Places for requests that last: no credential and no tenant takes all of them. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import type { AppError } from "../../src/platform/errors/errors.ts";
import { Places } from "../../src/platform/http/places.ts";

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
  const places = new Places("exports", LIMITS);
  const take = (tenant: string, credential: string) =>
    places.takeFor(of(tenant, credential), reply());
  take("acme", "a1");
  take("acme", "a1");
  assert.throws(() => take("acme", "a1"), refusal("This token has 2 exports running already"));
  take("acme", "a2");
  assert.throws(() => take("acme", "a3"), refusal("This tenant has 3 exports running already"));
  take("rival", "b1");
  take("rival", "b2");
  assert.throws(() => take("third", "c1"), refusal("The service has 5 exports running already"));
});

test("a place is free again when the response has ended or its reader has left", async () => {
  const places = new Places("exports", { credential: 1, tenant: 1, process: 1 });
  for (const end of ["finish", "leave"]) {
    const given = reply();
    places.takeFor(of("acme", "a"), given);
    assert.throws(() => places.takeFor(of("acme", "a"), reply()));
    const raw = given.raw as unknown as PassThrough;
    const closed = once(raw, "close");
    if (end === "finish") raw.resume().end();
    else raw.destroy();
    await closed;
    await new Promise(setImmediate);
  }
  const gone = reply();
  gone.raw.destroy();
  places.takeFor(of("acme", "a"), gone);
  await new Promise(setImmediate);
  places.takeFor(of("acme", "a"), reply());
});
