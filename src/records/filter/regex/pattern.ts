/**
 * Reads `$regex` patterns as in MongoDB (PCRE, options i m s x). In the result, options are resolved, and every
 * character and class is a set of code points. Captures and lazy quantifiers are dropped, because they do not affect
 * whether a string matches.
 */

import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { charSet, CLASSES, complement, foldCase, type CharSet } from "./charset.ts";
import { refuseCostly } from "./cost.ts";
import { readPcre, RegexError, type Flags } from "./syntax.ts";

/** The alternatives of a pattern. Each is a sequence. */
export type Pattern = readonly (readonly Part[])[];

/** `line_start` and `line_end` are `^` and `$` with the option m. */
export type Edge = "start" | "end" | "line_start" | "line_end" | "word" | "not_word";

export type Part =
  | { readonly is: "set"; readonly set: CharSet }
  | { readonly is: "edge"; readonly edge: Edge }
  | { readonly is: "group"; readonly pattern: Pattern }
  | { readonly is: "repeat"; readonly part: Part; readonly min: number; readonly max: number };

const REGEX_MAX = 200;
const parser = new RegExpParser({ ecmaVersion: 2025 });

/**
 * Reads a pattern. `options` contains any of the letters i, m, s and x. With `ignoresCase`, even `(?-i:…)` ignores case.
 * Throws a RegexError.
 */
export function readPattern(pattern: string, options: string, ignoresCase: boolean): Pattern {
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
  return readAlternatives(alternatives, { ...flags, ignoresCase });
}

function parse(source: string): AST.Pattern {
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/u: /s, "") : String(error);
    throw new RegexError(`invalid pattern: ${reason}`);
  }
}

const readAlternatives = (alternatives: readonly AST.Alternative[], flags: Flags): Pattern =>
  alternatives.map(({ elements }) => elements.map((element) => readElement(element, flags)));

function readElement(element: AST.Element, flags: Flags): Part {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return { is: "set", set: setOf(element, flags) };
    case "Group": {
      const inner = modified(flags, element.modifiers);
      return { is: "group", pattern: readAlternatives(element.alternatives, inner) };
    }
    case "CapturingGroup":
      return { is: "group", pattern: readAlternatives(element.alternatives, flags) };
    case "Quantifier": {
      const { min, max } = element;
      return { is: "repeat", part: readElement(element.element, flags), min, max };
    }
    case "Assertion":
      return { is: "edge", edge: edgeOf(element, flags) };
    case "Backreference":
      throw new RegexError("backreferences are not supported");
    case "ExpressionCharacterClass":
      throw new RegexError("set operations in classes are not supported");
  }
}

function edgeOf(assertion: AST.Assertion, { m }: Flags): Edge {
  switch (assertion.kind) {
    case "start":
      return m ? "line_start" : "start";
    case "end":
      return m ? "line_end" : "end";
    case "word":
      return assertion.negate ? "not_word" : "word";
    case "lookahead":
    case "lookbehind":
      throw new RegexError("lookaround is not supported");
  }
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
