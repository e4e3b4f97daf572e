/**
 * Citations of the docs (`docs/<page>.md`, `docs/<page>.md#<heading>`), links between Markdown files, and links to
 * guides refer to existing pages and headings. Test files that are named exist. Nothing cites documents outside the
 * project.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";
import { ROOT } from "../../tools/sources.ts";

const READ = [
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "SECURITY.md",
  "bench",
  "changelog.d",
  "console/src",
  "docs",
  "examples",
  "migrations",
  "monitoring",
  "sdk/README.md",
  "sdk/src",
  "src",
  "test",
];
const TEXT = /\.(md|tsx?|mjs|css|sh|sql|yml)$/;
/** The strings in these files are examples of broken links. */
const LEFT_OUT = new Set([
  "test/structure/citations.test.ts",
  "test/reference/documentation.test.ts",
]);

interface File {
  readonly path: string;
  readonly text: string;
}

const pathsIn = (path: string): readonly string[] =>
  statSync(join(ROOT, path)).isFile()
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" }).map((file) =>
        join(path, file),
      );

const files: readonly File[] = READ.flatMap(pathsIn)
  .filter((path) => TEXT.test(path) && !LEFT_OUT.has(path) && !path.includes("node_modules"))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** Returns the anchor of a heading, as GitHub and our guides create it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function readAnchors(page: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/^```[^]*?^```$/gm, "");
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));
}

const anchors = new Map<string, ReadonlySet<string>>();

/** Returns the problem with a citation, or undefined if its page and heading exist. */
function faultOf(page: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(ROOT, page))) return `there is no ${page}`;
  if (anchor === undefined) return undefined;
  const known = anchors.get(page) ?? readAnchors(page);
  anchors.set(page, known);
  return known.has(anchor) ? undefined : `${page} has no heading #${anchor}`;
}

type Citation = readonly [page: string, anchor: string | undefined];

/** Finds citations in any file, by the path of the page from the root of the project. */
const citationsOf = ({ text }: File): readonly Citation[] => [
  ...[...text.matchAll(/(?<![\w/.])(docs\/(?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g)].map(
    ([, page = "", anchor]) => [page, anchor] as const,
  ),
  ...[...text.matchAll(/\/docs\/guides\/((?!client\b)[\w-]+(?:\/[\w-]+)?)(?:#([\w-]+))?/g)].map(
    ([, name = "", anchor]) => [`docs/${name}.md`, anchor] as const,
  ),
  ...[
    ...text.matchAll(/(?<![\w/.])test\/(?:[\w-]+\/)*[\w-]+\.(?:test|more|long|campaign)\.ts/g),
  ].map(([path]) => [path, undefined] as const),
];

/** Returns a Markdown file's links, which are relative to the file. */
const linksOf = ({ path, text }: File): readonly Citation[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, link = "", anchor]) => [
    link === "" ? path : relative(ROOT, join(ROOT, dirname(path), link)),
    anchor,
  ]);

const faultsOf = (all: readonly File[], read: (file: File) => readonly Citation[]) =>
  all.flatMap((file) =>
    read(file)
      .map(([page, anchor]) => faultOf(page, anchor))
      .filter((fault) => fault !== undefined)
      .map((fault) => `${file.path}: ${fault}`),
  );

test("citations of the docs and tests name a page, a heading or a file that exists", () => {
  const cited = files.flatMap(citationsOf).filter(([, anchor]) => anchor !== undefined);
  assert.ok(cited.length > 100, "the citations are found");
  assert.deepEqual(faultsOf(files, citationsOf), []);
});

/** The links in these files start from docs/, where the generated pages contain them too. */
const isTemplate = (path: string): boolean => path.startsWith("src/reference/docs/");

test("links between Markdown files lead to a file and a heading that exist", () => {
  const pages = files.filter(({ path }) => path.endsWith(".md") && !isTemplate(path));
  assert.ok(pages.flatMap(linksOf).length > 100, "the links are found");
  assert.deepEqual(faultsOf(pages, linksOf), []);
});

test("README.md shows every picture in docs/screens", () => {
  const readme = files.filter(({ path }) => path === "README.md").flatMap(linksOf);
  const shown = new Set(readme.map(([path]) => path));
  const pictures = pathsIn("docs/screens");
  assert.ok(pictures.length > 0);
  assert.deepEqual(
    pictures.filter((path) => !shown.has(path)),
    [],
  );
});

test("a wrong page, heading or link is found", () => {
  const wrong = {
    path: "docs/x.md",
    text: "docs/lists.md#nowhere, docs/none.md and [x](lists.md#nor-here)",
  };
  assert.deepEqual(faultsOf([wrong], citationsOf), [
    "docs/x.md: docs/lists.md has no heading #nowhere",
    "docs/x.md: there is no docs/none.md",
  ]);
  assert.deepEqual(faultsOf([wrong], linksOf), [
    "docs/x.md: docs/lists.md has no heading #nor-here",
  ]);
});

/** These migrations can no longer be edited, because Postgrator compares their checksums. */
const CHECKSUMMED = /^migrations\/00[1-7]\./;
const FOREIGN =
  /\b(?:D(?:[1-9]|1\d|2[0-3])\.\d{1,2}|spec (?:section )?\d|D\d{1,2}(?=[:,] )|invariant \d+|(?:interface|decisions)\.md)\b/gi;

test("nothing cites the numbers of documents that are not in the project", () => {
  const found = files
    .filter(({ path }) => !CHECKSUMMED.test(path))
    .flatMap(({ path, text }) => (text.match(FOREIGN) ?? []).map((what) => `${path}: ${what}`));
  assert.deepEqual(found, []);
});
