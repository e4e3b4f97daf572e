/**
 * Translates `$regex` to a PostgreSQL regular expression. The pattern is parsed as in MongoDB (PCRE, options i m s x).
 * The result contains only plain characters, classes and quantifiers that have the same meaning under every collation.
 * Captures and lazy quantifiers are dropped, because they do not affect whether a string matches.
 */

import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { charSet, CLASSES, complement, foldCase, printSet, type CharSet } from "./charset.ts";
import { refuseCostly } from "./regex-cost.ts";
import { readPcre, RegexError, type Flags } from "./regex-syntax.ts";

const REGEX_MAX = 200;
const parser = new RegExpParser({ ecmaVersion: 2025 });

/**
 * Translates a pattern for PostgreSQL's `~` operator. `options` contains any of the letters i, m, s and x. With
 * `ignoresCase`, even `(?-i:…)` ignores case. Throws a RegexError.
 */
export function postgresRegex(pattern: string, options: string, ignoresCase = false): string {
  if ([...pattern].length > REGEX_MAX) {
    throw new RegexError(`a pattern can have at most ${REGEX_MAX} characters`);
  }
  const unknown = /[^imsx]/.exec(options)?.[0];
  if (unknown !== undefined) {
    throw new RegexError(`the option ${JSON.stringify(unknown)} is not one of i, m, s, x`);
  }
  const { source, flags } = readPcre(pattern, options);
  const { alternatives } = parse(source);
  refuseCostly(alternatives);
  return `***:${printAlternatives(alternatives, { ...flags, ignoresCase })}`;
}

function parse(source: string): AST.Pattern {
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/u: /s, "") : String(error);
    throw new RegexError(`invalid pattern: ${reason}`);
  }
}

const printAlternatives = (alternatives: readonly AST.Alternative[], flags: Flags): string =>
  alternatives
    .map(({ elements }) => elements.map((e) => printElement(e, flags)).join(""))
    .join("|");

function printElement(element: AST.Element, flags: Flags): string {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return printSet(setOf(element, flags));
    case "Group":
      return `(?:${printAlternatives(element.alternatives, modified(flags, element.modifiers))})`;
    case "CapturingGroup":
      return `(?:${printAlternatives(element.alternatives, flags)})`;
    case "Quantifier":
      return printElement(element.element, flags) + printRepeat(element);
    case "Assertion":
      return printAssertion(element, flags);
    case "Backreference":
      throw new RegexError("backreferences are not supported");
    case "ExpressionCharacterClass":
      throw new RegexError("set operations in classes are not supported");
  }
}

const WORD = printSet(CLASSES.word);
const AT_WORD_EDGE = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const OFF_WORD_EDGE = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;

/**
 * Translates `^` and `$` with their PCRE meaning: `$` also matches before a final line feed, but `^` never matches
 * after it.
 */
function printAssertion(assertion: AST.Assertion, { m }: Flags): string {
  switch (assertion.kind) {
    case "start":
      return m ? "(?:\\A|(?<=\\n)(?!\\Z))" : "\\A";
    case "end":
      return m ? "(?:(?=\\n)|\\Z)" : "(?:(?=\\n\\Z)|\\Z)";
    case "word":
      return assertion.negate ? OFF_WORD_EDGE : AT_WORD_EDGE;
    case "lookahead":
    case "lookbehind":
      throw new RegexError("lookaround is not supported");
  }
}

function printRepeat({ min, max }: AST.Quantifier): string {
  if (max === Infinity && min === 0) return "*";
  if (max === Infinity && min === 1) return "+";
  if (min === 0 && max === 1) return "?";
  if (max === Infinity) return `{${min},}`;
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function setOf(
  element: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassElement,
  flags: Flags,
): CharSet {
  switch (element.type) {
    case "Character":
      return cased([[element.value, element.value]], flags);
    case "CharacterClassRange":
      return cased([[element.min.value, element.max.value]], flags);
    case "CharacterClass": {
      const set = charSet(element.elements.flatMap((e) => setOf(e, flags)));
      return element.negate ? complement(set) : set;
    }
    case "CharacterSet": {
      if (element.kind === "any") return flags.s ? complement([]) : complement([[0x0a, 0x0a]]);
      if (element.kind === "property") throw new RegexError("\\p and \\P are not supported");
      const set = CLASSES[element.kind];
      return element.negate ? complement(set) : set;
    }
    default:
      throw new RegexError("set operations in classes are not supported");
  }
}

const cased = (set: CharSet, { i, ignoresCase }: Flags): CharSet =>
  i || ignoresCase === true ? foldCase(set) : set;

const modified = (flags: Flags, modifiers: AST.Modifiers | null): Flags => ({
  ...flags,
  i: modifiers?.remove?.ignoreCase === true ? false : flags.i || modifiers?.add.ignoreCase === true,
  m: modifiers?.remove?.multiline === true ? false : flags.m || modifiers?.add.multiline === true,
  s: modifiers?.remove?.dotAll === true ? false : flags.s || modifiers?.add.dotAll === true,
});
