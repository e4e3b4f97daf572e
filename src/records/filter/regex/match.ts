/**
 * Matches strings with patterns in linear time: an automaton is in all of its states at once and reads each character
 * once. It never backtracks, so its time is at most the length of the string times the size of the pattern, which
 * cost.ts limits. (re2js would not do: RE2 has no lookahead, which `$` before a final line feed needs.)
 */

import { CLASSES, type CharSet } from "./charset.ts";
import type { Edge, Part, Pattern } from "./pattern.ts";

/** A state. It is left by reading a character in `set`, at an `edge`, or without a condition; the last one never. */
interface State {
  readonly set?: CharSet;
  readonly edge?: Edge;
  next: readonly State[];
  /** Where the state was last entered. */
  entered: number;
}

const state = (next: readonly State[], condition: Pick<State, "set" | "edge"> = {}): State => ({
  ...condition,
  next,
  entered: -1,
});

interface Input {
  readonly chars: readonly number[];
  /** The number of the first position. Each position of each string has a different number. */
  readonly first: number;
}

/** Returns a function that checks whether a pattern matches anywhere in a string. */
export function matcherOf(pattern: Pattern): (text: string) => boolean {
  const end = state([]);
  const start = before(pattern, end);
  let first = 0;
  return (text) => {
    const input = { chars: Array.from(text, (char) => char.codePointAt(0) ?? 0), first };
    first += input.chars.length + 1;
    return run(start, end, input);
  };
}

function run(start: State, end: State, input: Input): boolean {
  let active: State[] = [];
  for (let at = 0; at <= input.chars.length; at += 1) {
    enter(start, input, at, active);
    if (end.entered === input.first + at) return true;
    const char = input.chars[at] ?? -1;
    const after: State[] = [];
    for (const { set, next } of active) {
      if (set !== undefined && has(set, char)) {
        for (const one of next) enter(one, input, at + 1, after);
      }
    }
    active = after;
  }
  return false;
}

/** Adds a state and all states that can be reached from it without reading a character. */
function enter(from: State, { chars, first }: Input, at: number, active: State[]): void {
  const open = [from];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.entered === first + at) continue;
    one.entered = first + at;
    if (one.set !== undefined) active.push(one);
    else if (one.edge === undefined || isAt(one.edge, chars, at)) open.push(...one.next);
  }
}

/** Returns the state from which a pattern leads to `end`. Only one of several empty alternatives is needed. */
function before(pattern: Pattern, end: State): State {
  const starts = new Set(pattern.map((parts) => parts.reduceRight(beforePart, end)));
  const [only = end] = starts;
  return starts.size < 2 ? only : state([...starts]);
}

function beforePart(end: State, part: Part): State {
  switch (part.is) {
    case "set":
      return state([end], { set: part.set });
    case "edge":
      return state([end], { edge: part.edge });
    case "group":
      return before(part.pattern, end);
    case "repeat":
      return beforeRepeat(part, end);
  }
}

function beforeRepeat({ part, min, max }: Part & { readonly is: "repeat" }, end: State): State {
  // Repeating a group that matches only the empty string changes nothing.
  if (max === 0 || isEmpty(part)) return end;
  let start = end;
  let copies = min;
  if (max === Infinity) {
    const again = state([]);
    const once = beforePart(again, part);
    again.next = [once, end];
    start = min === 0 ? again : once;
    copies = min - 1;
  } else {
    for (let times = min; times < max; times += 1) start = state([beforePart(start, part), end]);
  }
  for (let times = 0; times < copies; times += 1) start = beforePart(start, part);
  return start;
}

function isEmpty(part: Part): boolean {
  if (part.is === "repeat") return isEmpty(part.part);
  return part.is === "group" && part.pattern.every((parts) => parts.every(isEmpty));
}

function isAt(edge: Edge, chars: readonly number[], at: number): boolean {
  const { length } = chars;
  switch (edge) {
    case "start":
      return at === 0;
    case "end":
      return at === length || (at === length - 1 && chars[at] === LINE_FEED);
    case "line_start":
      return at === 0 || (chars[at - 1] === LINE_FEED && at < length);
    case "line_end":
      return at === length || chars[at] === LINE_FEED;
    case "word":
      return isWord(chars[at - 1]) !== isWord(chars[at]);
    case "not_word":
      return isWord(chars[at - 1]) === isWord(chars[at]);
  }
}

const LINE_FEED = 0x0a;

const isWord = (char: number | undefined): boolean => char !== undefined && has(CLASSES.word, char);

/** Whether a set contains a character. Finds it by bisection. */
function has(set: CharSet, char: number): boolean {
  let low = 0;
  let high = set.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = set[middle] ?? [0, 0];
    if (char < first) high = middle - 1;
    else if (char > last) low = middle + 1;
    else return true;
  }
  return false;
}
