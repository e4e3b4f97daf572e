/** Sample files for bench/readers.ts: an ordinary file in each format, and files that are expensive to read. */

import { fileOf } from "./imports.ts";

export interface ReaderShape {
  readonly name: string;
  readonly format: "csv" | "ndjson";
  /** Returns a string of about this many characters. */
  readonly text: (characters: number) => string;
}

/** The number of leads in an ordinary file, which is about a quarter of a megabyte. */
const ORDINARY_LEADS = 1000;
const ORDINARY = {
  csv: fileOf("csv", ORDINARY_LEADS, 1),
  ndjson: fileOf("ndjson", ORDINARY_LEADS, 1),
};
const COLUMNS = ORDINARY.csv.slice(0, ORDINARY.csv.indexOf("\n") + 1);

/** Repeats the string up to about this many characters, but at least once. */
const filledTo = (characters: number, text: string): string =>
  text.repeat(Math.max(1, Math.round(characters / text.length)));

const ordinary = (format: "csv" | "ndjson"): ReaderShape => ({
  name: "ordinary",
  format,
  text: (characters) =>
    format === "csv"
      ? COLUMNS + filledTo(characters, ORDINARY.csv.slice(COLUMNS.length))
      : filledTo(characters, ORDINARY.ndjson),
});

/** Describes a CSV file that repeats one line below column headers, by default those of an ordinary file. */
const csv = (name: string, line: string, columns = COLUMNS): ReaderShape => ({
  name,
  format: "csv",
  text: (characters) => `${columns}${filledTo(characters, line)}`,
});

const ndjson = (name: string, line: string): ReaderShape => ({
  name,
  format: "ndjson",
  text: (characters) => `{"name":"Ann"}\n${filledTo(characters, line)}`,
});

const WIDE = `${Array.from({ length: 2000 }, (_, at) => `c${at}`).join()}\n`;
const long = "x".repeat(1024 * 1024 - 100);

/** For each format, the ordinary file comes first, then the expensive ones. */
export const READER_SHAPES: readonly ReaderShape[] = [
  ordinary("csv"),
  csv('every line is `"""`', '"""\n'),
  csv('every line is `"`', '"\n'),
  csv('every line is `"a`', '"a\n'),
  csv('every line is `a","b`', 'a","b\n'),
  csv('every line is `""`', '""\n'),
  csv('every line is `"a"b`', '"a"b\n'),
  csv('alternating lines `a"` and `"b`', 'a"\n"b\n'),
  csv("lines of 1 character", "a\n"),
  csv("lines of 3 characters", "a,b\n"),
  csv("blank lines", "\n"),
  csv("lines of 14 commas", `${",".repeat(14)}\n`),
  csv("lines of 14 cells for 13 columns", `${",".repeat(13)}a\n`),
  csv("empty quoted cells", `${'"",'.repeat(12)}""\n`),
  csv("quoted cells of two lines", '"a\nb"\n'),
  csv("2,000 columns, short rows", "a\n", WIDE),
  csv("2,000 columns, empty rows", `${",".repeat(1999)}\n`, WIDE),
  csv("rows with 4,000 cells", `${",".repeat(4000)}\n`),
  csv("cells of 1 MiB", `${long}\n`),
  csv("quoted cells of 1 MiB with escaped quotes", `"${'""'.repeat(500_000)}"\n`),
  csv("no line break", ","),
  ordinary("ndjson"),
  ndjson("every line is `x`", "x\n"),
  ndjson("every line is `1`", "1\n"),
  ndjson("every line is `[]`", "[]\n"),
  ndjson("every line is `{`", "{\n"),
  ndjson("every line is `{}`", "{}\n"),
  ndjson("every line is `{a}`", "{a}\n"),
  ndjson('every line is `{"}`', '{"}\n'),
  ndjson('every line is `{"":}`', '{"":}\n'),
  ndjson('every line is `{"":1,}`', '{"":1,}\n'),
  ndjson('every line is `{"":[}`', '{"":[}\n'),
  ndjson('every line is `{"":1}`', '{"":1}\n'),
  ndjson('every line is `{"name":"a"}`', '{"name":"a"}\n'),
  ndjson("blank lines", "\n"),
  ndjson(
    "short objects with 60 nested arrays and one bracket too many",
    `{"":${"[".repeat(60)}${"]".repeat(61)}}\n`,
  ),
  ndjson("rows with an array of 50,000 objects", `{"tags":[${"{},".repeat(49_998)}{}]}\n`),
  ndjson("rows of 4 MB", `{"tags":[${"{},".repeat(1_390_000)}{}]}\n`),
  ndjson("strings of 1 MiB", `{"name":"${long}"}\n`),
  ndjson("strings of 1 MiB of escape sequences", `{"name":"${"\\n".repeat(500_000)}"}\n`),
  ndjson("rows nested 1,000 deep", `{"a":${"[".repeat(1000)}${"]".repeat(1000)}}\n`),
  ndjson("no line break", "{"),
];

/** Request bodies for measuring the scan that counts JSON tokens before parsing. */
export const JSON_SHAPES: readonly {
  readonly name: string;
  readonly text: (n: number) => string;
}[] = [
  { name: "ordinary", text: (n) => `[${filledTo(n, ORDINARY.ndjson.replaceAll("\n", ","))}` },
  { name: "empty objects", text: (n) => `[${filledTo(n, "{},")}` },
  { name: "open arrays", text: (n) => filledTo(n, "[") },
  { name: "short fields", text: (n) => `{${filledTo(n, '"":1,')}` },
  { name: "commas", text: (n) => `[${filledTo(n, ",")}` },
  { name: "spaces", text: (n) => filledTo(n, " ") },
  { name: "one string", text: (n) => `"${filledTo(n, "x")}"` },
  { name: "escaped quotes", text: (n) => `"${filledTo(n, '\\"')}"` },
  { name: "empty strings", text: (n) => `[${filledTo(n, '"",')}` },
];
