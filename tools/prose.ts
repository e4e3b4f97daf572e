/**
 * `npm run check:prose [-- <file or folder>…]`: reports the words of words-to-replace.ts in
 * everything that people read: Markdown, and the comments, strings and JSX of our sources. Code,
 * inline code and link targets are left out.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT } from "./sources.ts";
import { WORDS_TO_REPLACE } from "./words-to-replace.ts";

/** A text that people read, and its start position in the file. */
interface Passage {
  readonly text: string;
  readonly start: number;
}

const READ = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "changelog.d",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs",
  "src",
  "console/src",
  "sdk/README.md",
  "sdk/src",
  "test",
  "bench",
  "examples",
  "monitoring",
];
/** Files whose spelling is not ours, and this check's own list. */
const LEFT_OUT =
  /node_modules|structure\/words-to-replace\.ts$|\.d\.ts$|import-names\/|contact-headings\.ts$/;

const PATTERNS = WORDS_TO_REPLACE.map(
  ([words, instead]) =>
    [new RegExp(`(?<![\\w/.-])(?:${words})(?![\\w/-])`, "gi"), instead] as const,
);

/** Replaces everything that is not prose with spaces, so that positions stay the same. */
const blank = (text: string, what: RegExp): string =>
  text.replaceAll(what, (code) => code.replaceAll(/[^\n]/g, " "));

const withoutCode = (text: string): string =>
  blank(text, /```[^]*?```|`[^`]*`|\]\([^)]*\)|https?:\S+/g);

/** In these files, string literals are file contents from other systems, except for test titles. */
const DATA = /test\/files\//;

/** The words of the migrations' statements, which include the names of all tables and columns. */
const IDENTIFIERS: ReadonlySet<string> = new Set(
  readdirSync(join(ROOT, "migrations")).flatMap(
    (file) =>
      readFileSync(join(ROOT, "migrations", file), "utf8")
        .replaceAll(/--.*/g, "")
        .match(/\w+/g) ?? [],
  ),
);

/** Whether a text lists tables and columns, such as "request answer". Their names cannot be replaced. */
const isListOfColumns = (text: string): boolean =>
  text.split(" ").every((word) => IDENTIFIERS.has(word));

/** Returns comments, and literals that contain a space. Other literals are names. */
function passagesOf(path: string, source: string): readonly Passage[] {
  if (path.endsWith(".md")) return [{ text: source, start: 0 }];
  const { program, comments } = parseSync(path, source);
  const passages: Passage[] = comments.map(({ value, start }) => ({
    text: value,
    start: start + 2,
  }));
  const add = (text: string, start: number): void => {
    if (text.trim().includes(" ") && !isListOfColumns(text)) passages.push({ text, start });
  };
  const titles = new Set<number>();
  const isRead = (start: number): boolean => !DATA.test(path) || titles.has(start);
  // Tagged templates contain SQL.
  const statements = new Set<number>();
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => {
      for (const { start } of quasi.quasis) statements.add(start);
    },
    CallExpression: ({ callee, arguments: [title] }) => {
      if (callee.type !== "Identifier" || callee.name !== "test") return;
      if (title?.type === "Literal") titles.add(title.start);
      if (title?.type === "TemplateLiteral")
        for (const part of title.quasis) titles.add(part.start);
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === "string" && isRead(start))
        add(source.slice(start + 1, end - 1), start + 1);
    },
    TemplateElement: ({ value, start }) => {
      if (isRead(start) && !statements.has(start)) add(value.raw, start);
    },
    JSXText: ({ value, start }) => add(value, start),
  }).visit(program);
  return passages;
}

const filesIn = (path: string): readonly string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: "utf8" }).map((file) => join(path, file));

const named = process.argv.slice(2).map((path) => join(process.cwd(), path));
const files = (named.length > 0 ? named : READ.map((path) => join(ROOT, path)))
  .flatMap(filesIn)
  .filter((path) => /\.(md|tsx?)$/.test(path) && !LEFT_OUT.test(path));

let found = 0;
for (const path of files) {
  const source = readFileSync(path, "utf8");
  for (const { text, start } of passagesOf(path, source))
    for (const [pattern, instead] of PATTERNS)
      for (const { 0: word, index } of withoutCode(text).matchAll(pattern)) {
        const line = source.slice(0, start + index).split("\n").length;
        console.log(`${relative(ROOT, path)}:${line}  "${word}": ${instead}`);
        found += 1;
      }
}
console.log(
  found === 0 ? `No words to replace in ${files.length} files.` : `${found} words to replace.`,
);
process.exitCode = found === 0 ? 0 : 1;
