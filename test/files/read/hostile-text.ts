/** Random text, generated from a seed, that is hard to read as CSV or NDJSON. */

import { stringify } from "csv-stringify/sync";
import { DELIMITERS, type Dialect } from "../../../src/files/read/csv-line.ts";
import { randomFrom } from "../../kit/random.ts";

/** Returns a generator of whole numbers below `n`. The same seed always gives the same numbers. */
export function randomOf(seed: number): (n: number) => number {
  const random = randomFrom(seed);
  return (n) => Math.floor(random() * n);
}

type Random = ReturnType<typeof randomOf>;

export const pick = <T>(random: Random, of: readonly T[]): T => of[random(of.length)] as T;

export const dialectOf = (random: Random): Dialect => ({
  delimiter: pick(random, DELIMITERS),
  lineEnd: pick(random, ["\n", "\n", "\r"]),
});

/** Complete lines that broke a reader in the past or might break one. */
const BAD_LINES = ['"""', '"a', 'a","b', '"', '""', '""""', 'b"', '"b"c', '",', ',"', '"",""'];
const PIECES = ['"', '"', '""', "D", "D", "E", "E", "a", "bc", " ", "é", "\0", '"D"', '"E"', "😀"];

/** Returns CSV text in the given dialect, with stray quotes. It is usually short, and sometimes longer than a chunk. */
export function badCsv(random: Random, { delimiter, lineEnd }: Dialect): string {
  const end = lineEnd === "\n" ? pick(random, ["\n", "\r\n"]) : lineEnd;
  const parts = [`h${delimiter}i${end}`];
  const isLong = random(50) === 0;
  for (let left = isLong ? 3000 : random(25); left > 0; left -= 1) {
    parts.push(random(4) === 0 ? `${pick(random, BAD_LINES)}E` : pick(random, PIECES));
  }
  return parts.join("").replaceAll("D", delimiter).replaceAll("E", end);
}

/** Returns a table and its RFC 4180 text in the given dialect. */
export function goodCsv(random: Random, { delimiter, lineEnd }: Dialect) {
  const end = lineEnd === "\n" ? pick(random, ["\n", "\r\n"]) : lineEnd;
  const columns = 1 + random(4);
  const rows = Array.from({ length: 1 + random(random(50) === 0 ? 400 : 6) }, () =>
    Array.from({ length: columns }, () => `.${cellOf(random, delimiter, end)}`),
  );
  const text = stringify(rows, {
    delimiter,
    record_delimiter: end,
    quoted_match: /[\r\n"]/,
    quoted: random(3) === 0,
  });
  return { rows, text };
}

function cellOf(random: Random, delimiter: string, end: string): string {
  const pieces = ["a", '"', delimiter, end, " ", "é", "xyz", "1"];
  return Array.from({ length: random(5) }, () => pick(random, pieces)).join("");
}

const JSON_LINES = [
  '{"name":"Ann","n":1}',
  "{}",
  "{",
  "}",
  "[1]",
  "{a}",
  "x",
  '{"}',
  '{"":[}',
  '{"a":1,}',
  "nonsense",
  '"text"',
  "null",
  '{"a":"\\u0000\\ud800"}',
  '{"a":1}x',
  '{"__proto__":{"x":1},"constructor":2}',
  `{"tags":[${"{},".repeat(3)}{}]}`,
  `${"[".repeat(30)}${"]".repeat(30)}`,
  '{"open":"',
  " ",
  "",
];

export function badNdjson(random: Random): string {
  const lines = Array.from({ length: random(random(50) === 0 ? 400 : 12) }, () => {
    const line = random(4) === 0 ? badJson(random) : pick(random, JSON_LINES);
    return random(5) === 0 ? line.slice(random(line.length)) : line;
  });
  return lines.join(pick(random, ["\n", "\r\n"])) + pick(random, ["", "\n"]);
}

const JSON_TOKENS = [
  ..."{}[]:,",
  "{",
  '{"a":',
  '"',
  '"a"',
  '""',
  "\\",
  '"\\u00e9"',
  '"\\u00g9"',
  '"\\x"',
  '"\t"',
  "'a'",
  "0",
  "01",
  "-1",
  "-",
  "1.",
  "1.5e+10",
  "1e",
  ".5",
  "true",
  "nul",
  "null",
  " ",
  "\u00a0",
  "\r",
];

/** Returns short text that may be JSON: a value, sometimes with a change, or tokens in random order. */
export function badJson(random: Random): string {
  const tokens = (count: number) =>
    Array.from({ length: count }, () => pick(random, JSON_TOKENS)).join("");
  if (random(3) === 0) return tokens(random(8));
  const valid = jsonOf(random, 3);
  const at = random(valid.length + 1);
  return random(3) === 0
    ? valid
    : valid.slice(0, at) + tokens(random(2)) + valid.slice(at + random(2));
}

function jsonOf(random: Random, depth: number): string {
  const some = (item: () => string) => Array.from({ length: random(4) }, item).join();
  const space = pick(random, ["", "", " ", "\t"]);
  switch (random(depth > 0 ? 4 : 2)) {
    case 0:
      return space + pick(random, ["1", "-0.5", "2E-3", "true", "false", "null"]) + space;
    case 1:
      return pick(random, ['"a"', '"\\"{"', '"\\u0000é"', '"😀,"', '""']);
    case 2:
      return `[${space}${some(() => jsonOf(random, depth - 1))}]`;
    default:
      return `{${some(() => `${space}"${random(3)}"${space}:${jsonOf(random, depth - 1)}`)}${space}}`;
  }
}

/** Splits text into chunks at random positions, or not at all. */
export function chunksOf(random: Random, text: string): readonly string[] {
  const size = 1 + random(pick(random, [1, 5, 40, 6000]));
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size));
}
