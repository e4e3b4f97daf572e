/** Random strings that files, spreadsheets and parsers may misinterpret. */

import fc from "fast-check";

/** Every control character that a body may contain. */
const CONTROLS = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at)]
  .filter((code) => code !== 0)
  .map((code) => String.fromCharCode(code));

const UNITS: readonly (readonly string[])[] = [
  ["\n", "\r", "\r\n", '"', '""', '"""', "\n\n", '"\n', '\r"', '",'],
  [",", ";", "\t", "|", "sep=;", "'", "''", "=", "+", "-", "@", " ", "\\"],
  CONTROLS,
  ["a", "Ann", "0", "1.5", "n/a", "null", "[]", "{", "***", "meeting", "é", "ß"],
  ["😀", "👩‍👩‍👧", "𝒳", "\u{10ffff}", "שלום", "مرحبا", "\u202e", "\u200f", "e\u0301"],
  ["\ufeff", "\u2028", "\u2029", "\u0085", "\u00a0", "\ufffd", "\u200b"],
];

/** Complete strings that a reader may interpret as empty, a number, JSON, or a known value. */
const WHOLE = [
  "",
  " ",
  "\n",
  "n/a",
  "null",
  "none",
  "-",
  "***",
  "5",
  "-1.5",
  "1e3",
  "true",
  "NaN",
  "[]",
  "{}",
  '["a"]',
  '{"a": 1}',
  '"x"',
  "Meeting",
  "phone call",
  "New",
  "ObjectId('')",
];

/** Generates strings of at most `max` UTF-16 code units. */
export const oddText = (max: number): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: mixedText(max) }, fc.constantFrom(...WHOLE));

const mixedText = (max: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("", "", "=", "+", "-", "@", "'", "\t", "\r", "\n", " ", '"'),
      fc.string({
        unit: fc.oneof(...UNITS.map((units) => fc.constantFrom(...units))),
        maxLength: 12,
      }),
    )
    .map(([first, rest]) => cut(first + rest, max));

/** Truncates a text without splitting surrogate pairs. */
const cut = (text: string, max: number): string =>
  [...text].reduce((cut, sign) => (cut.length + sign.length > max ? cut : cut + sign), "");
