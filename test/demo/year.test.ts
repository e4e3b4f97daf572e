/** Properties of every demo year plan, whatever its seed, size and start time. Every state must occur. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Stage } from "../../src/demo/stage/index.ts";
import { planYear } from "../../src/demo/year/index.ts";

const DAY_s = 86_400;
const YEAR_s = 365 * DAY_s;
const MOMENTS = 120;

/** Returns a plan's actions with their ages in days, each as a string like "create lead" or "push maple". */
async function actionsOf(seed: number, now_s: number) {
  const actions: { readonly name: string; readonly age_days: number }[] = [];
  let at_s = 0;
  const stage = new Proxy({} as Stage, {
    get: (_, act: string) => async (first: unknown) => {
      const name = typeof first === "string" ? `${act} ${first}` : act;
      actions.push({ name, age_days: (now_s - at_s) / DAY_s });
      return {};
    },
  });
  for (const step of planYear({ seed, leads: 60, now_s })) {
    ({ at_s } = step);
    await step.run(stage);
  }
  return actions;
}

test("a small year has every outcome of pushes, and recent leads for every webhook", async () => {
  const missing: string[] = [];
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    // Cover every hour of the day and every week of the year.
    const now_s = Math.floor(1_780_000_000 + (moment * (YEAR_s + 3600)) / MOMENTS + moment * 3700);
    const actions = await actionsOf(moment, now_s);
    const needed = (what: string, found: boolean) => {
      if (!found) missing.push(`${what} at ${now_s}`);
    };
    const names = new Set(actions.map(({ name }) => name.replace(/^(push\w*) .*/, "$1")));
    for (const name of ["push", "pushInVain", "reject", "accept", "import", "merge lead"]) {
      needed(name, names.has(name));
    }
    const between = (name: RegExp, least_days: number, most_days: number) =>
      actions.some(
        (one) => name.test(one.name) && one.age_days > least_days && one.age_days < most_days,
      );
    needed("a lead while the newsletter is gone", between(/^create lead$/, 0, 9));
    needed("a lead whose delivery has failed", between(/^create lead$/, 4, 14));
    needed("a push while the chat is down", between(/^push /, 0, 10 / 24));
  }
  assert.deepEqual(missing, []);
});
