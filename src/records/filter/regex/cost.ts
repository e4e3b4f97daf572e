/**
 * Estimates the cost of compiling a pattern. PostgreSQL's matcher never backtracks, but it first expands repetitions,
 * which can take minutes. For example, `((a?){100}){10}` took 22 s on a short string.
 */

import type { AST } from "@eslint-community/regexpp";
import { RegexError } from "./syntax.ts";

/** PostgreSQL's limit for {m,n}. */
const REPEAT_MAX = 255;
/** Maximum number of characters and classes after repetitions are expanded. */
const EXPANDED_MAX = 2_000;
/**
 * Maximum number of characters and classes in repeated groups that can match the empty string. The cost grows with the
 * cube of this number.
 */
const LOOSE_MAX = 200;

interface Cost {
  readonly size: number;
  readonly loose: number;
  /** Whether the element can match the empty string. */
  readonly empty: boolean;
}

/** Throws a RegexError if the database would take too long to compile the pattern. */
export function refuseCostly(alternatives: readonly AST.Alternative[]): void {
  const { size, loose } = costOfAll(alternatives);
  if (size > EXPANDED_MAX || loose > LOOSE_MAX) {
    throw new RegexError("the pattern has too many repetitions; use smaller or less nested ones");
  }
}

const costOfAll = (alternatives: readonly AST.Alternative[]): Cost =>
  alternatives
    .map(({ elements }) =>
      elements.map(costOf).reduce(
        (sum, cost) => ({
          size: sum.size + cost.size,
          loose: sum.loose + cost.loose,
          empty: sum.empty && cost.empty,
        }),
        { size: 0, loose: 0, empty: true },
      ),
    )
    .reduce((sum, cost) => ({
      size: sum.size + cost.size,
      loose: sum.loose + cost.loose,
      empty: sum.empty || cost.empty,
    }));

function costOf(element: AST.Element): Cost {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return costOfAll(element.alternatives);
    case "Quantifier":
      return costOfRepeat(element);
    case "Assertion":
      // A word boundary is translated to four lookarounds.
      return { size: element.kind === "word" ? 4 : 1, loose: 0, empty: true };
    default:
      return { size: 1, loose: 0, empty: false };
  }
}

function costOfRepeat({ element, min, max }: AST.Quantifier): Cost {
  const times = Math.max(1, max === Infinity ? min : max);
  if (times > REPEAT_MAX) throw new RegexError(`{…} can repeat at most ${REPEAT_MAX} times`);
  const { size, loose, empty } = costOf(element);
  return {
    size: size * times,
    loose: empty && times > 1 ? size * times : loose * times,
    empty: empty || min === 0,
  };
}
