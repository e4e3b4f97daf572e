/** What is found while a filter is parsed: problems, and the number of conditions. */

import type { Issue } from "../../../platform/errors/index.ts";

export const FILTER_BYTES_MAX = 64 * 1024;
export const DEPTH_MAX = 8;
const CONDITIONS_MAX = 100;
export const VALUES_MAX = 500;

/** A problem in a filter. */
export type FilterIssue = Pick<Issue, "type" | "msg" | "ctx">;

export class Findings {
  readonly issues: FilterIssue[] = [];
  /** Whether the filter uses `_id` or ObjectId('…'). */
  usesIds = false;
  #conditions = 0;

  /** Reports a problem at a position such as `$or.0.name`, or "" at the top level. */
  refuse(at: string, reason: string): void {
    const error = at === "" ? reason : `${at}: ${reason}`;
    this.issues.push({ type: "value_error", msg: `Value error, ${error}`, ctx: { error } });
  }

  countCondition(): void {
    this.#conditions += 1;
    if (this.#conditions === CONDITIONS_MAX + 1) {
      this.refuse("", `a filter can have at most ${CONDITIONS_MAX} conditions`);
    }
  }
}
