/** The regular expressions of `$regex`, for PostgreSQL and for strings in memory. */

import { once, remember } from "../../../platform/clock/index.ts";
import { matcherOf } from "./match.ts";
import { readPattern, type Pattern } from "./pattern.ts";
import { postgresRegex } from "./print.ts";
import { RegexError } from "./syntax.ts";

/** A pattern as written in a filter. With `ignoresCase`, letters match regardless of case wherever they are. */
export interface Written {
  readonly pattern: string;
  readonly options: string;
  readonly ignoresCase: boolean;
}

const PATTERNS_MAX = 200;
const known = remember<Pattern>(PATTERNS_MAX);

const patternOf = ({ pattern, options, ignoresCase }: Written): Pattern =>
  known(JSON.stringify([pattern, options, ignoresCase]), () =>
    readPattern(pattern, options, ignoresCase),
  );

/** Returns the reason why a pattern is not supported; undefined if it is. */
export function regexFault(written: Written): string | undefined {
  try {
    patternOf(written);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error.message;
    throw error;
  }
}

/** Returns the regular expression for PostgreSQL's `~` operator. Throws a RegexError. */
export const regexSql = (written: Written): string => postgresRegex(patternOf(written));

/** Whether a pattern matches anywhere in a string. Takes linear time. Throws a RegexError. */
export const regexMatches = (written: Written, text: string): boolean => matcher(written)(text);

const matcher = once((written: Written) => matcherOf(patternOf(written)));
