/** Files for measuring the readers: an ordinary one in each format, and content that is expensive to read. */

import { fileOf } from "./imports.ts";

export interface ReaderShape {
  readonly name: string;
  readonly format: "csv" | "ndjson";
  /** Returns a string of about this many characters. */
  readonly text: (characters: number) => string;
}

/** About a quarter of a megabyte. */
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
  csv('lines `"""`', '"""\n'),
  csv('lines `"`', '"\n'),
  csv('lines `"a`', '"a\n'),
  csv('lines `a","b`', 'a","b\n'),
  csv('lines `""`', '""\n'),
  csv('lines `"a"b`', '"a"b\n'),
  csv('lines `a"` and `"b`', 'a"\n"b\n'),
  csv("lines of 1 character", "a\n"),
  csv("lines of 3 characters", "a,b\n"),
  csv("blank lines", "\n"),
  csv("lines of 14 commas", `${",".repeat(14)}\n`),
  csv("lines of 14 cells, one too many", `${",".repeat(13)}a\n`),
  csv("quoted empty cells", `${'"",'.repeat(12)}""\n`),
  csv("rows of 2 quoted lines", '"a\nb"\n'),
  csv("2,000 columns, short rows", "a\n", WIDE),
  csv("2,000 columns, empty rows", `${",".repeat(1999)}\n`, WIDE),
  csv("rows with 4,000 cells", `${",".repeat(4000)}\n`),
  csv("cells of 1 MiB", `${long}\n`),
  csv("quoted cells of 1 MiB with escaped quotes", `"${'""'.repeat(500_000)}"\n`),
  csv("no line end", ","),
  ordinary("ndjson"),
  ndjson("lines `x`", "x\n"),
  ndjson("lines `1`", "1\n"),
  ndjson("lines `[]`", "[]\n"),
  ndjson("lines `{`", "{\n"),
  ndjson("lines `{}`", "{}\n"),
  ndjson("lines `{a}`", "{a}\n"),
  ndjson('lines `{"}`', '{"}\n'),
  ndjson('lines `{"":}`', '{"":}\n'),
  ndjson('lines `{"":1,}`', '{"":1,}\n'),
  ndjson('lines `{"":[}`', '{"":[}\n'),
  ndjson('lines `{"":1}`', '{"":1}\n'),
  ndjson('lines `{"name":"a"}`', '{"name":"a"}\n'),
  ndjson("blank lines", "\n"),
  ndjson(
    "short objects that end in 60 closing brackets too many",
    `{"":${"[".repeat(60)}${"]".repeat(61)}}\n`,
  ),
  ndjson("rows of 50,000 members", `{"tags":[${"{},".repeat(49_998)}{}]}\n`),
  ndjson("rows of 4 MB", `{"tags":[${"{},".repeat(1_390_000)}{}]}\n`),
  ndjson("texts of 1 MiB", `{"name":"${long}"}\n`),
  ndjson("texts of 1 MiB, escaped", `{"name":"${"\\n".repeat(500_000)}"}\n`),
  ndjson("rows nested 1,000 deep", `{"a":${"[".repeat(1000)}${"]".repeat(1000)}}\n`),
  ndjson("no line end", "{"),
];

/** Bodies for the scan that counts JSON tokens before parsing. */
export const JSON_SHAPES: readonly {
  readonly name: string;
  readonly text: (n: number) => string;
}[] = [
  { name: "ordinary", text: (n) => `[${filledTo(n, ORDINARY.ndjson.replaceAll("\n", ","))}` },
  { name: "empty objects", text: (n) => `[${filledTo(n, "{},")}` },
  { name: "open lists", text: (n) => filledTo(n, "[") },
  { name: "short members", text: (n) => `{${filledTo(n, '"":1,')}` },
  { name: "commas", text: (n) => `[${filledTo(n, ",")}` },
  { name: "spaces", text: (n) => filledTo(n, " ") },
  { name: "one text", text: (n) => `"${filledTo(n, "x")}"` },
  { name: "escaped quotes", text: (n) => `"${filledTo(n, '\\"')}"` },
  { name: "empty texts", text: (n) => `[${filledTo(n, '"",')}` },
];
