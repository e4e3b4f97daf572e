/**
 * Counts the members of JSON text before JSON.parse allocates memory for them. Makes one pass over
 * the bytes and allocates no memory that grows with the input. The scan never fails. In invalid
 * text, it counts at least as many members as JSON.parse would create before it reports the error,
 * because both read the valid part in the same way.
 */

export const DEPTH_MAX = 20;

/** Maximum number of members and elements in a body, a batch item or an NDJSON row. */
export const MEMBERS_MAX = 50_000;

/** Maximum number of members and elements in all items of a batch together. */
export const BATCH_MEMBERS_MAX = 1_500_000;

/**
 * The length up to which text need not be scanned. Each member or element takes at least one byte, so shorter text
 * cannot have too many.
 */
const SAFE_bytes = MEMBERS_MAX;

export interface JsonCount {
  /** Object members plus list elements at all levels, including duplicates. */
  readonly members: number;
  /** The maximum nesting depth. 0 for strings, numbers, true, false and null. */
  readonly depth: number;
  /**
   * Where the scan stopped: at the comma or bracket after the value, at the end of the text, or earlier if a limit was
   * exceeded.
   */
  readonly end: number;
}

/** Counts the members of the value at `from`, up to the next comma or bracket. Stops once it exceeds `membersMax`. */
export function countJson(
  bytes: Uint8Array,
  from = 0,
  membersMax: number = Number.MAX_SAFE_INTEGER,
): JsonCount {
  const to = bytes.length;
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let at = from;
  scan: while (at < to) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        continue;
      case COMMA:
        if (depth === 0) break scan;
        members += 1;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > deepest) deepest = depth;
        at = skipSpace(bytes, at + 1);
        if (at < to && isClosing(bytes[at])) continue;
        members += 1;
        if (members > membersMax) break scan;
        continue;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth === 0) break scan;
        depth -= 1;
        break;
      default:
    }
    if (members > membersMax) break;
    at += 1;
  }
  return { members, depth: deepest, end: at };
}

/** Whether text has more members and elements than a body, item or row may have. */
export const hasTooManyMembers = (bytes: Uint8Array): boolean =>
  bytes.length > SAFE_bytes && countJson(bytes, 0, MEMBERS_MAX).members > MEMBERS_MAX;

/** A list that is a member of the top-level object. */
export interface JsonList {
  /** Position after the opening bracket. */
  readonly start: number;
  /** Position of the closing bracket, or of the end of the text. */
  readonly end: number;
  readonly length: number;
  /** Start positions of the first `elementsMax` elements. Each element ends one byte before the next one starts. */
  readonly starts: readonly number[];
}

/**
 * The part of the text that exceeds its limit: one element (by index), all elements together, or everything outside the
 * list.
 */
export type JsonExcess = { readonly element: number } | "elements" | "rest";

export interface ListScan {
  /**
   * Undefined if there is no such list. In that case, parse the whole text with JSON.parse, which throws if the text is
   * invalid.
   */
  readonly list?: JsonList;
  readonly excess?: JsonExcess;
}

interface ListLimits {
  /** Maximum number of start positions to return. */
  readonly elementsMax: number;
  /** Maximum number of members and elements in each item of the list, and in the document without the list. */
  readonly each?: number;
  /** Maximum number of members and elements in the whole list. */
  readonly all?: number;
}

/** Finds the list that JSON.parse would return as the member `name`, without parsing the text. */
export function findList(
  bytes: Uint8Array,
  name: string,
  { elementsMax, each = MEMBERS_MAX, all = BATCH_MEMBERS_MAX }: ListLimits,
): ListScan {
  let list: JsonList | undefined;
  let outside = 0;
  let at = skipSpace(bytes, hasMark(bytes) ? 3 : 0);
  if (bytes[at] !== OPEN_OBJECT) {
    return countJson(bytes, at, each).members > each ? { excess: "rest" } : {};
  }
  do {
    const key = skipSpace(bytes, at + 1);
    if (bytes[key] !== QUOTE) break;
    const keyEnd = endOfString(bytes, key);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) break;
    const value = skipSpace(bytes, colon + 1);
    outside += 1;
    const isSought = isNamed(bytes, key, keyEnd, name);
    if (isSought && list !== undefined) {
      // If a key occurs twice, JSON.parse also creates the first list before it discards it, so its members count too.
      outside += countJson(bytes, list.start - 1, each).members;
      list = undefined;
    }
    if (isSought && bytes[value] === OPEN_LIST) {
      const found = elementsOf(bytes, value + 1, { elementsMax, each, all });
      if (found.list === undefined) return found;
      list = found.list;
      at = skipSpace(bytes, list.end + 1);
    } else {
      const count = countJson(bytes, value, each);
      outside += count.members;
      at = count.end;
    }
    if (outside > each) return { excess: "rest" };
  } while (bytes[at] === COMMA);
  return list === undefined ? {} : { list };
}

function elementsOf(
  bytes: Uint8Array,
  start: number,
  { elementsMax, each, all }: Required<ListLimits>,
): ListScan {
  const to = bytes.length;
  const starts: number[] = [];
  let length = 0;
  let members = 0;
  let at = skipSpace(bytes, start);
  if (at >= to || isClosing(bytes[at])) return { list: { start, end: at, length, starts } };
  for (;;) {
    const count = countJson(bytes, at, each);
    if (count.members > each) return { excess: { element: length } };
    members += count.members + 1;
    if (members > all) return { excess: "elements" };
    if (length < elementsMax) starts.push(at);
    length += 1;
    at = count.end;
    if (bytes[at] !== COMMA) return { list: { start, end: at, length, starts } };
    at += 1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isClosing = (byte: number | undefined): boolean =>
  byte === CLOSE_LIST || byte === CLOSE_OBJECT;

function skipSpace(bytes: Uint8Array, from: number): number {
  const to = bytes.length;
  let at = from;
  for (; at < to; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return at;
}

/** Returns the position just after the string whose opening quote is at `from`. */
export function endOfString(bytes: Uint8Array, from: number): number {
  const to = bytes.length;
  for (let at = from + 1; at < to; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  return to;
}

/** Whether text starts with a byte order mark, which decoding removes. */
const hasMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** The maximum length of an escaped character, such as \u0069. */
const ESCAPED_CHARACTER_bytes = 6;

/** Whether the quoted key between these positions equals `name` once its escapes are decoded. */
function isNamed(bytes: Uint8Array, from: number, to: number, name: string): boolean {
  if (to - from > name.length * ESCAPED_CHARACTER_bytes + 2) return false;
  try {
    return JSON.parse(Buffer.from(bytes.subarray(from, to)).toString("utf8")) === name;
  } catch {
    return false;
  }
}
