/** The regular expressions of `$regex`, for PostgreSQL and for strings in memory. */

import { once, remember } from "../../../platform/cache/index.ts";
import { matcherOf } from "./match.ts";
import { readPattern, type Pattern } from "./pattern.ts";
import { postgresRegex } from "./print.ts";
import { RegexError } from "./syntax.ts";
import type { RegexSource } from "../tree/index.ts";

const PATTERNS_MAX = 200;
const known = remember<Pattern>(PATTERNS_MAX);

const patternOf = ({ pattern, options, ignoresCase }: RegexSource): Pattern =>
  known(JSON.stringify([pattern, options, ignoresCase]), () =>
    readPattern(pattern, options, ignoresCase),
  );

/** Returns the reason why a pattern is not supported; undefined if it is. */
export function regexFault(source: RegexSource): string | undefined {
  try {
    patternOf(source);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error.message;
    throw error;
  }
}

/** Returns the regular expression for PostgreSQL's `~` operator. Throws a RegexError. */
export const regexSql = (source: RegexSource): string => postgresRegex(patternOf(source));

/** Whether a pattern matches anywhere in a string. Takes linear time. Throws a RegexError. */
export const regexMatches = (source: RegexSource, text: string): boolean => matcher(source)(text);

const matcher = once((source: RegexSource) => matcherOf(patternOf(source)));
