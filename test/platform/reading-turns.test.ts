import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { createReadingTurns } from "../../src/platform/http/reading-turns.ts";

const work = () => Promise.withResolvers<string>();

test("a tenant's reads take turns, and another tenant's do not wait for them", async () => {
  const inTurn = createReadingTurns();
  const first = work();
  const second = work();
  const other = work();
  const started: string[] = [];
  const take = (tenant: string, name: string, { promise }: ReturnType<typeof work>) =>
    inTurn(tenant, () => {
      started.push(name);
      return promise;
    });
  const results = [
    take("a", "first", first),
    take("a", "second", second),
    take("b", "other", other),
  ];
  other.resolve("3");
  assert.equal(await results[2], "3");
  assert.deepEqual(started, ["first", "other"]);
  first.resolve("1");
  assert.equal(await results[0], "1");
  second.resolve("2");
  assert.equal(await results[1], "2");
  assert.deepEqual(started, ["first", "other", "second"]);
});

test("a read that fails does not affect the others, and each runs on behalf of its caller", async () => {
  const inTurn = createReadingTurns();
  const caller = new AsyncLocalStorage<string>();
  const read = (name: string, { fails }: { readonly fails: boolean }) =>
    caller.run(name, () =>
      inTurn("a", async () => {
        if (fails) throw new Error(`of ${caller.getStore()}`);
        return caller.getStore();
      }),
    );
  const results = await Promise.allSettled([
    read("one", { fails: true }),
    read("two", { fails: false }),
    read("three", { fails: true }),
  ]);
  const shown = results.map((result) =>
    result.status === "fulfilled" ? result.value : (result.reason as Error).message,
  );
  assert.deepEqual(shown, ["of one", "two", "of three"]);
});
