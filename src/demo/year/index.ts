/** Plans the demo year. */

import { planFollowUps } from "./deals.ts";
import { planImports } from "./imports.ts";
import { planLeads, planMerges } from "./leads.ts";
import { planPartners } from "./partners.ts";
import { planOwnTasks } from "./tasks.ts";
import { planTeam } from "./team.ts";
import { planViews } from "./views.ts";
import { deliverySteps, planWebhooks } from "./webhooks.ts";
import { createYear, type Step } from "./year.ts";

export { TIMEZONE, YEAR_days } from "./calendar.ts";
export type { Step } from "./year.ts";

/** The share of leads that do not come from a partner. */
const DIRECT_SHARE = 0.85;
/** The number of pushed leads relative to all leads. Fewer than half of them are imported. */
const PUSHES_SHARE = 0.26;

export interface YearOptions {
  readonly seed: number;
  /** Approximate number of leads. */
  readonly leads: number;
  /** The end of the year in epoch seconds. */
  readonly now_s: number;
}

/** Returns the steps of a year in chronological order. */
export function planYear({ seed, leads, now_s }: YearOptions): readonly Step[] {
  const year = createYear(seed, now_s);
  planTeam(year);
  const direct = planLeads(year, Math.round(leads * DIRECT_SHARE));
  planFollowUps(year, direct);
  planImports(year);
  planPartners(year, Math.round(leads * PUSHES_SHARE));
  planMerges(year, 4 + Math.round(leads / 200));
  planOwnTasks(year);
  planViews(year);
  planWebhooks(year);
  return [...year.steps.toSorted((a, b) => a.at_s - b.at_s), ...deliverySteps(seed, now_s)];
}
