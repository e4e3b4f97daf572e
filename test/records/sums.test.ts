/** Totals computed from the lines of an order or invoice, exact to the cent. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sumOf } from "../../src/records/body/present.ts";

const SUM = { lines: "lines", amount: "price", count: "quantity" } as const;
const total = (...lines: readonly (readonly [price: unknown, quantity: unknown])[]) =>
  sumOf(SUM, lines.map(([price, quantity]) => ({ price, quantity })) as never);

test("half a cent of a total is rounded to the even cent", () => {
  assert.deepEqual(
    [0.125, 0.135, 0.145, 0.1251, -0.125].map((price) => total([price, 1])),
    [0.12, 0.14, 0.14, 0.13, -0.12],
  );
});

test("a total is rounded once, after its lines are added without binary errors", () => {
  assert.equal(total([0.005, 1], [0.005, 1], [0.005, 1]), 0.02);
  assert.equal(total([1.005, 1000]), 1005);
  assert.equal(total([0.1, 3]), 0.3);
  assert.equal(total([99_999_999.99, 3]), 299_999_999.97);
});

test("lines without an amount or a count are left out, and without any line there is no total", () => {
  assert.equal(total([2.5, 2], [null, 3], [4, null], ["5", 1]), 5);
  assert.equal(total([null, 1]), null);
  assert.equal(total(), null);
});
