/** The state of a filter's compilation: the problems found so far, and the limits. */

import { ValidationError, type Issue } from "../../platform/errors/index.ts";

export const FILTER_BYTES_MAX = 64 * 1024;
export const DEPTH_MAX = 8;
const CONDITIONS_MAX = 100;
export const VALUES_MAX = 500;

const LOC = ["query", "match_filter_dict"] as const;

export class FilterReading {
  readonly raw: string;
  readonly evalObjectId: boolean;
  readonly #issues: Issue[] = [];
  #conditions = 0;

  constructor(raw: string, evalObjectId: boolean) {
    this.raw = raw;
    this.evalObjectId = evalObjectId;
  }

  /** Reports a problem at a position such as `$or.0.name`, or "" at the top level. */
  refuse(at: string, reason: string): void {
    const error = at === "" ? reason : `${at}: ${reason}`;
    this.add({ type: "value_error", msg: `Value error, ${error}`, ctx: { error } });
  }

  add(issue: Pick<Issue, "type" | "msg" | "ctx">): void {
    this.#issues.push({ loc: LOC, input: this.raw, ...issue });
  }

  countCondition(): void {
    this.#conditions += 1;
    if (this.#conditions === CONDITIONS_MAX + 1) {
      this.refuse("", `a filter can have at most ${CONDITIONS_MAX} conditions`);
    }
  }

  /** Throws a ValidationError with all reported problems. */
  finish(): void {
    if (this.#issues.length > 0) throw new ValidationError(this.#issues);
  }
}
