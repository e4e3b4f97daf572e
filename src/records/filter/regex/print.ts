/**
 * Formats patterns as PostgreSQL regular expressions. These contain only plain characters, classes and quantifiers that
 * have the same meaning under every collation.
 */

import { CLASSES, printSet } from "./charset.ts";
import type { Edge, Part, Pattern } from "./pattern.ts";

/** Returns a pattern's expression for PostgreSQL's `~` operator. */
export const postgresRegex = (pattern: Pattern): string => `***:${printPattern(pattern)}`;

const printPattern = (pattern: Pattern): string =>
  pattern.map((parts) => parts.map(printPart).join("")).join("|");

function printPart(part: Part): string {
  switch (part.is) {
    case "set":
      return printSet(part.set);
    case "edge":
      return EDGES[part.edge];
    case "group":
      return `(?:${printPattern(part.pattern)})`;
    case "repeat":
      return printPart(part.part) + printRepeat(part.min, part.max);
  }
}

const WORD = printSet(CLASSES.word);

/**
 * `^` and `$` with their PCRE meaning: `$` also matches before a final line feed, but `^` never matches after it.
 */
const EDGES: Readonly<Record<Edge, string>> = {
  start: "\\A",
  end: "(?:(?=\\n\\Z)|\\Z)",
  line_start: "(?:\\A|(?<=\\n)(?!\\Z))",
  line_end: "(?:(?=\\n)|\\Z)",
  word: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  not_word: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
};

function printRepeat(min: number, max: number): string {
  if (max === Infinity && min === 0) return "*";
  if (max === Infinity && min === 1) return "+";
  if (min === 0 && max === 1) return "?";
  if (max === Infinity) return `{${min},}`;
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
