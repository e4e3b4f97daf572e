/**
 * Extracts members from the bytes of stored bodies. Parsing and serializing the bodies of a page would take about four
 * times as long.
 */

import { countJson, endOfString } from "../../platform/json/index.ts";

const QUOTE = '"'.charCodeAt(0);
const COMMA = ",".charCodeAt(0);

/**
 * Creates a function that picks members from a stored body: a JSON object without whitespace whose last member is the
 * version (`record_stamps`). The function returns an object with these members, in the body's order, and the version.
 * It overwrites the start of the body, so the body must not be used afterwards.
 */
export function membersPicker(names: readonly string[]): (body: Buffer) => Buffer {
  const keys = names.filter((name) => name !== "version").map((name) => Buffer.from(`"${name}":`));
  return (body) => {
    let at = 1;
    let found = 0;
    let written = 1;
    while (found < keys.length && body[at] === QUOTE) {
      const value = endOfString(body, at) + ":".length;
      const { end } = countJson(body, value);
      if (keys.some((key) => isAt(body, at, value, key))) {
        if (found > 0) body[written++] = COMMA;
        written = move(body, at, end, written);
        found += 1;
      }
      at = end + 1;
    }
    const version = body.lastIndexOf(COMMA) + (found > 0 ? 0 : 1);
    return body.subarray(0, move(body, version, body.length, written));
  };
}

/**
 * Moves bytes toward the front and returns the offset after them. For so few bytes, copying them one by one is fastest.
 */
function move(body: Buffer, start: number, end: number, target: number): number {
  let to = target;
  for (let from = start; from < end; from++) body[to++] = body[from] as number;
  return to;
}

/** Whether the bytes from `start` to `end` equal this key. */
function isAt(body: Buffer, start: number, end: number, key: Buffer): boolean {
  if (key.length !== end - start) return false;
  let same = 0;
  while (same < key.length && key[same] === body[start + same]) same += 1;
  return same === key.length;
}
