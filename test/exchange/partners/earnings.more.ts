/**
 * Earnings are exact to the cent, even for sums that floating-point arithmetic does not compute exactly. They are
 * rounded half to even.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import Big from "big.js";
import * as fc from "fast-check";
import { sharedApi } from "../../kit/file-api.ts";
import { ok } from "../../api/samples.ts";
import { importPushed, partnerOf } from "../exchange-kit.ts";

const api = await sharedApi();

interface Sale {
  readonly value: number;
  readonly rate: number;
}

/** Returns a partner's earnings from these sales, each at its own rate. */
async function earned(sales: readonly Sale[]): Promise<unknown> {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const lead = await importPushed(acme, (await partner.push()).id);
  const { contact_id } = ok(await acme.post(`/crm/leads/${String(lead["_id"])}/convert`)).body;
  const rates = Map.groupBy(sales, ({ rate }) => rate);
  for (const [commission_rate, alike] of rates) {
    ok(await acme.patch(`/crm/admin/partners/${partner.partner_id}`, { commission_rate }));
    const won = { name: "Looms", contact_id, stage: "closed_won" };
    // One at a time: on a slow machine, the service would reject concurrent requests that wait for five seconds.
    for (const { value } of alike) {
      ok(await acme.post("/crm/opportunities", { ...won, value_of_sale: value }));
    }
  }
  const told = ok(await partner.get("/crm/partner/analytics")).body.estimated_earnings;
  const all = ok(await acme.get("/crm/admin/analytics")).body.estimated_earnings;
  assert.equal(all, told);
  return told;
}

const times = (count: number, sale: Sale): readonly Sale[] =>
  Array.from({ length: count }, () => sale);

/** Sales with their earnings, computed by hand. */
const CASES: readonly (readonly [title: string, sales: readonly Sale[], earned: number])[] = [
  [
    "0.1 and 0.2",
    [
      { value: 0.1, rate: 100 },
      { value: 0.2, rate: 100 },
    ],
    0.3,
  ],
  ["a hundred times ten cents", times(100, { value: 0.1, rate: 100 }), 10],
  ["thirty times 1.1 at 1.1 percent", times(30, { value: 1.1, rate: 1.1 }), 0.36],
  ["half a cent, down to even", [{ value: 0.5, rate: 1 }], 0],
  ["a cent and a half, up to even", [{ value: 1.5, rate: 1 }], 0.02],
  ["two cents and a half, down to even", [{ value: 2.5, rate: 1 }], 0.02],
  ["a little more than half a cent", [{ value: 0.500001, rate: 1 }], 0.01],
  ["1.005, which a double holds as less", [{ value: 1.005, rate: 100 }], 1],
  ["1.015, which a double holds as less", [{ value: 1.015, rate: 100 }], 1.02],
  ["1.025, which a double holds as less", [{ value: 1.025, rate: 100 }], 1.02],
  ["two halves of a cent, rounded once", times(2, { value: 0.5, rate: 1 }), 0.01],
  ["three thirds of a cent, rounded once", times(3, { value: 1, rate: 0.333333 }), 0.01],
  ["a billion at a millionth of a percent", [{ value: 1e9, rate: 0.000001 }], 10],
  [
    "a billion and a cent",
    [
      { value: 1e9, rate: 100 },
      { value: 0.01, rate: 100 },
    ],
    1_000_000_000.01,
  ],
  ["the most digits", [{ value: 999_999_999.999999, rate: 99.999999 }], 999_999_990],
  [
    "a sale and its refund",
    [
      { value: 10.05, rate: 7.5 },
      { value: -10.05, rate: 7.5 },
    ],
    0,
  ],
  ["a refund of half a cent more", [{ value: -1.5, rate: 1 }], -0.02],
  ["nothing at all", [], 0],
  ["a rate of nothing", [{ value: 1e9, rate: 0 }], 0],
];

for (const [title, sales, expected] of CASES) {
  test(`${title}: ${expected}`, async () => {
    assert.equal(await earned(sales), expected);
  });
}

/** Integers in millionths, so that the expected sum can be computed exactly. */
const millionths = (max: number) =>
  fc.bigInt({ min: 0n, max: BigInt(max) * 1_000_000n }).map((units) => ({
    units,
    number: Number(new Big(String(units)).div(1_000_000).toFixed()),
  }));

test("any sales earn what integer arithmetic gives", async () => {
  const sale = fc.record({ value: millionths(100_000_000), rate: millionths(100) });
  const holds = fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 5 }), async (sales) => {
    const told = await earned(
      sales.map(({ value, rate }) => ({ value: value.number, rate: rate.number })),
    );
    // The product of two values in millionths, one of them a percentage. A cent is 10^12 of these units.
    const total = sales.reduce((sum, { value, rate }) => sum + value.units * rate.units, 0n);
    assert.equal(told, Number(halfEven(total, 10n ** 12n)) / 100);
  });
  await fc.assert(holds, { numRuns: 20 });
});

/** Returns the quotient of two non-negative integers, rounded half to even. */
function halfEven(total: bigint, by: bigint): bigint {
  const whole = total / by;
  const rest = (total % by) * 2n;
  if (rest === by) return whole + (whole % 2n);
  return rest > by ? whole + 1n : whole;
}
