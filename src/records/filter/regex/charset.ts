/**
 * Sets of characters as sorted ranges of code points. Character classes in regular expressions are expanded here, so
 * that their meaning does not depend on the database's collation.
 */

type Range = readonly [first: number, last: number];
/** Sorted ranges that are neither overlapping nor adjacent. */
export type CharSet = readonly Range[];

const LAST = 0x10ffff;

/** Creates a set from ranges, which may overlap. */
export function charSet(ranges: Iterable<Range>): CharSet {
  const sorted = [...ranges].toSorted((a, b) => a[0] - b[0]);
  const set: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = set.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else set.push([first, last]);
  }
  return set;
}

export function complement(set: CharSet): CharSet {
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

// For ranges with up to this many characters, variants are looked up character by character. Most patterns have only
// such ranges.
const FEW = 128;

/** Adds every character that differs only in case from a character in the set. */
export function foldCase(set: CharSet): CharSet {
  const variants = caseVariants();
  const more: Range[] = [...set];
  const add = (others: Iterable<number>) => {
    for (const other of others) more.push([other, other]);
  };
  for (const [first, last] of set) {
    if (last - first < FEW) {
      for (let char = first; char <= last; char += 1) add(variants.get(char) ?? []);
    } else {
      for (const [char, others] of variants) if (first <= char && char <= last) add(others);
    }
  }
  return charSet(more);
}

// All letters with case variants are below this code point (checked up to 10FFFF).
const LAST_CASED = 0x1ffff;
let known: ReadonlyMap<number, ReadonlySet<number>> | undefined;

/** Returns characters that are the same letter in Unicode's simple case folding, such as k, K and the Kelvin sign. */
function caseVariants(): ReadonlyMap<number, ReadonlySet<number>> {
  if (known !== undefined) return known;
  const groups = new Map<number, Set<number>>();
  for (let char = 0; char <= LAST_CASED; char += 1) {
    const text = String.fromCodePoint(char);
    for (const cased of [text.toLowerCase(), text.toUpperCase()]) {
      const other = cased.codePointAt(0) ?? char;
      if (cased === text || String.fromCodePoint(other) !== cased) continue;
      // Comparing uppercase and lowercase forms is not enough: ı becomes I, but is not a variant of i. The regular
      // expression uses the case folding tables.
      if (new RegExp(`^\\u{${char.toString(16)}}$`, "iu").test(cased)) join(groups, char, other);
    }
  }
  return (known = groups);
}

function join(groups: Map<number, Set<number>>, a: number, b: number): void {
  const group = new Set([a, b, ...(groups.get(a) ?? []), ...(groups.get(b) ?? [])]);
  for (const char of group) groups.set(char, group);
}

// Character classes as in MongoDB, which uses PCRE without (*UCP). They contain only ASCII characters.
export const CLASSES = {
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
} as const satisfies Record<string, CharSet>;

/** Formats a set as an atom of a PostgreSQL regular expression: a single character or a bracket expression. */
export function printSet(set: CharSet): string {
  const only = set[0];
  // The set is empty. The expression matches only U+0000, which strings never contain.
  if (only === undefined) return "[^\\u0001-\\U0010FFFF]";
  if (set.length === 1 && only[0] === only[1]) return printChar(only[0]);
  if (set.length === 1 && only[0] === 0 && only[1] === LAST) return ".";
  const negative = only[0] === 0;
  const ranges = (negative ? complement(set) : set).map(printRange).join("");
  return negative ? `[^${ranges}]` : `[${ranges}]`;
}

const printRange = ([first, last]: Range): string =>
  first === last ? printChar(first) : `${printChar(first)}-${printChar(last)}`;

/**
 * Formats a character so that it is literal anywhere in an expression. ASCII letters and digits remain unchanged. All
 * other characters are escaped by number.
 */
function printChar(char: number): string {
  const text = String.fromCodePoint(char);
  if (/^[a-z0-9 @_]$/i.test(text)) return text;
  const hex = char.toString(16).toUpperCase();
  return char > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
