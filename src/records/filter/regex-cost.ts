/**
 * What a pattern costs to compile. PostgreSQL's matcher never backtracks, but it writes repetitions
 * out first, and that alone can take it minutes: `((a?){100}){10}` took 22 s on a short text.
 */

import type { AST } from "@eslint-community/regexpp";
import { RegexError } from "./regex-syntax.ts";

/** PostgreSQL's own limit for {m,n}. */
const REPEAT_MAX = 255;
/** Characters and classes of a pattern with its repetitions written out. */
const EXPANDED_MAX = 2_000;
/** Of these, repeated things that may also be empty: their cost grows with the third power. */
const LOOSE_MAX = 200;

interface Cost {
  readonly size: number;
  readonly loose: number;
  /** Whether it can match the empty text. */
  readonly empty: boolean;
}

/** Throws a RegexError where a pattern would take the database too long to read. */
export function refuseCostly(alternatives: readonly AST.Alternative[]): void {
  const { size, loose } = costOfAll(alternatives);
  if (size > EXPANDED_MAX || loose > LOOSE_MAX) {
    throw new RegexError("its repetitions are too many; repeat less, or nest less");
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
      // A word edge is printed as four look-arounds.
      return { size: element.kind === "word" ? 4 : 1, loose: 0, empty: true };
    default:
      return { size: 1, loose: 0, empty: false };
  }
}

function costOfRepeat({ element, min, max }: AST.Quantifier): Cost {
  const times = Math.max(1, max === Infinity ? min : max);
  if (times > REPEAT_MAX) throw new RegexError(`{…} repeats at most ${REPEAT_MAX} times`);
  const { size, loose, empty } = costOf(element);
  return {
    size: size * times,
    loose: empty && times > 1 ? size * times : loose * times,
    empty: empty || min === 0,
  };
}
