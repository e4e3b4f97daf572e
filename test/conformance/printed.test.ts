/** What is derived from the code has a printed, committed form, so that review sees it (invariant 10). */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { PERMISSIONS } from "../../src/access/index.ts";
import { PAGES } from "../../src/commands/docs.ts";
import { errorCatalogue } from "../../src/platform/errors.ts";
import { FILTER_OPERATORS } from "../../src/records/filter.ts";
import { startApi } from "../kit/api.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test("openapi.json is what the service answers and `leadport openapi` prints", async (t) => {
  const api = await startApi(t);
  const answered: unknown = await (await fetch(`${api.url}/openapi.json`)).json();
  assert.deepEqual(answered, JSON.parse(read("openapi.json")));
});

for (const [name, page] of Object.entries(PAGES)) {
  test(`docs/${name}.md is what \`leadport docs ${name}\` prints`, () =>
    assert.equal(read(`docs/${name}.md`), page()));
}

test("every error, permission and filter operator is documented", () => {
  const missing = [
    ...Object.values(errorCatalogue)
      .filter(([, sentence]) => !read("docs/errors.md").includes(sentence))
      .map(([, sentence]) => sentence),
    ...Object.keys(PERMISSIONS).filter((name) => !read("docs/tokens.md").includes(`\`${name}\``)),
    ...FILTER_OPERATORS.filter((name) => !read("docs/filters.md").includes(`\`${name}\``)),
  ];
  assert.deepEqual(missing, []);
});

test("every link between the documents leads to a file", () => {
  const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const broken = [...pages, ...docs.filter((path) => path.endsWith(".md")).map((p) => `docs/${p}`)]
    .flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => [page, link]),
    )
    .filter(([page = "", link = ""]) => {
      try {
        readdirSync(join(ROOT, page, "..", link));
        return false;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
      }
    });
  assert.deepEqual(broken, []);
});
