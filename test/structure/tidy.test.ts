/** Automated checks of the rules in CONTRIBUTING.md: allowed imports, sizes, names, and unused code. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { modulePicture } from "../../tools/module-picture.ts";
import {
  cyclesOf,
  importsBetween,
  moduleOf,
  readSources,
  ROOT,
  type Source,
} from "../../tools/sources.ts";
import { foreignTags } from "./template-tags.ts";

/** The modules that each module may import. `main.ts`, `commands`, `service` and `settings` may import any module. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  audit: ["platform"],
  backup: ["platform"],
  access: ["platform", "audit"],
  people: ["platform", "audit", "access"],
  records: ["platform", "audit", "access"],
  events: ["platform", "audit", "access", "records", "delivery"],
  files: ["platform", "audit", "access", "records"],
  delivery: ["platform", "audit", "access"],
  system: ["platform", "audit", "access", "people"],
  exchange: ["platform", "audit", "access", "records", "delivery", "events"],
  privacy: ["platform", "audit", "access", "records", "delivery", "events", "exchange"],
  tenants: [
    "platform",
    "audit",
    "access",
    "backup",
    "people",
    "records",
    "delivery",
    "exchange",
    "privacy",
  ],
  demo: [
    "platform",
    "audit",
    "access",
    "people",
    "records",
    "files",
    "delivery",
    "events",
    "exchange",
    "tenants",
  ],
  reference: [
    "settings",
    "platform",
    "audit",
    "access",
    "people",
    "records",
    "events",
    "files",
    "delivery",
    "system",
    "exchange",
    "privacy",
    "tenants",
    "demo",
  ],
};

const TOP = new Set(["", "commands", "service", "settings"]);
const FILES_MAX = 20;
const DEPTH_MAX = 3;
const LINES_MAX = 300;
const VAGUE_NAMES =
  /^(utils?|helpers?|common|shared|misc|types?|interfaces?|.*-?(service|controller|repository|manager|handler)|base|core|lib)\.ts$/;

const sources = readSources("src");
const pages = readSources("console/src");

/** Asserts that no source file violates a rule. On failure, lists the violations by file. */
function check(rule: (source: Source) => readonly string[], all = sources): void {
  assert.ok(all.length > 50, "the sources are found");
  const found = all.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));
  assert.deepEqual(found, []);
}

test("every module imports only the modules below it", () =>
  check(({ module, imports }) => {
    if (TOP.has(module)) return [];
    const allowed = MAY_IMPORT[module];
    if (allowed === undefined) return [`the module ${module} is not in the table`];
    return imports.filter((path) => {
      const other = moduleOf(path);
      return other !== module && !allowed.includes(other);
    });
  }));

test("cycles of imports are found", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["a"])],
    ["c", new Set(["a"])],
  ]);
  assert.deepEqual(cyclesOf(graph), ["a", "b"]);
});

for (const [folder, all] of [
  ["src", sources],
  ["console/src", pages],
] as const) {
  test(`no files and no folders of ${folder} import each other in a cycle`, () => {
    assert.deepEqual(cyclesOf(importsBetween(all, (path) => path)), []);
    assert.deepEqual(cyclesOf(importsBetween(all, dirname)), []);
  });

  test(`a folder of ${folder} is imported only through its index.ts`, () =>
    check(
      ({ path, imports, lazyImports }) =>
        imports.filter((imported) => {
          const to = dirname(imported);
          const isInside = `${dirname(path)}/`.startsWith(`${to}/`) || to === ".";
          const isOpen = to.startsWith("..") || to === "text" || to.startsWith("text/");
          return (
            !isInside &&
            !isOpen &&
            !lazyImports.includes(imported) &&
            !/\/index\.ts$|\.css$/.test(imported)
          );
        }),
      all,
    ));

  test(`a folder of ${folder} has at most 20 files and is at most three levels deep`, () => {
    const folders = [...Map.groupBy(all, ({ path }) => dirname(path))];
    const found = folders.filter(
      ([name, files]) => files.length > FILES_MAX || name.split("/").length > DEPTH_MAX,
    );
    assert.deepEqual(
      found.map(([name, { length }]) => `${name}: ${length}`),
      [],
    );
  });

  test(`a file of ${folder} imports each module once`, () =>
    check(({ text }) => {
      const imports = text.matchAll(/^import [^;]*from "([^"]+)";$/gm);
      const names = [...imports].map(([, name = ""]) => name);
      return names.filter((name, at) => names.indexOf(name) !== at);
    }, all));
}

test("docs/modules.svg shows the modules as they import each other", () => {
  const file = readFileSync(join(ROOT, "docs/modules.svg"), "utf8");
  assert.equal(file, modulePicture(), "Run `node tools/module-picture.ts > docs/modules.svg`.");
});

const VOCABULARY = /\/(define|subjects|import-names\/names)\.ts$/;

test("record types are data: they import the vocabulary and each other, and hold no functions", () =>
  check(({ path, text, imports }) => {
    if (!path.startsWith("records/types/") || VOCABULARY.test(path)) return [];
    const foreign = imports.filter((name) => !name.startsWith("records/types/"));
    return [...foreign, ...(/=>|\bfunction\b/.test(text) ? ["a function"] : [])];
  }));

test("every file begins with its purpose", () =>
  check(({ text }) => (/^\/\*\*? ?\S|^\/\*\*\n/.test(text) ? [] : ["no opening comment"])));

test("no file is longer than 300 lines", () =>
  check(({ text }) => {
    const lines = text.split("\n").length - 1;
    return lines > LINES_MAX ? [`${lines} lines`] : [];
  }));

/** Matches the spread of a literal. Write the literal's members directly instead. `...[...a].map(f)` is allowed. */
const SPREAD_LITERAL = /\.\.\.(?:\{[^{}]*\}|\[[^[\]]*\])(?=\s*[,\]}])/g;

test("no literal is spread if its members can be written", () =>
  check(({ text }) => text.match(SPREAD_LITERAL) ?? []));

test("files are named for their content, in kebab-case", () =>
  check(({ path }) => {
    const name = path.split("/").at(-1) ?? "";
    return /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name) && !VAGUE_NAMES.test(name) ? [] : [name];
  }));

/** Code that runs before the clock exists: the data folder's lock, the database's log, and the certificate. */
const BEFORE_THE_CLOCK = new Set([
  "platform/clock/clock.ts",
  "platform/storage/data-folder.ts",
  "platform/embedded/postmaster.ts",
  "platform/storage/tls.ts",
]);

test("time comes from the injected clock", () =>
  check(({ path, text }) =>
    BEFORE_THE_CLOCK.has(path) ? [] : (text.match(/\bDate\.now\(\)|new Date\(\)/g) ?? []),
  ));

test("requests leave the machine only through platform/outgoing", () =>
  check(({ path, text, packages }) => {
    // Emails go to the configured mail server, which a request cannot change.
    if (path === "platform/outgoing/outgoing.ts" || path === "platform/outgoing/mail.ts") return [];
    // Traces go to the configured collector, which a request cannot change.
    if (path === "platform/tracing/otlp.ts") return [];
    const clients = packages.filter((name) =>
      /^(undici|node:https?|axios|got|nodemailer|@opentelemetry\/exporter-.*)$/.test(name),
    );
    // Importing types or the list of methods opens no connection.
    const harmless =
      /import (type \{[^}]*\}|\{(\s*(type \w+|METHODS( as \w+)?),?)+\s*\}) from "node:https?"/.test(
        text,
      );
    return [...(harmless ? [] : clients), ...(text.match(/\bfetch\(/g) ?? [])];
  }));

test("SQL never contains identifiers or values by concatenation of texts", () =>
  check(({ text }) => text.match(/unsafe\(`[^`]*\$\{(?![A-Z_]+\})/g) ?? []));

test("SQL is written with sql-template-tag and run, not with the driver's tag", () =>
  check(foreignTags));

const tagsIn = (text: string) =>
  foreignTags({ path: "x.ts", text: `import sql from "sql-template-tag";\n${text}` });

test("a statement on a connection is found, whatever the connection is called", () => {
  const wrong = ["db", "deps.sql", "this.#readers[0]", "open()", "(await pool())"];
  for (const tag of wrong) assert.deepEqual(tagsIn(`${tag}\`select 1\``), [tag]);
  assert.deepEqual(tagsIn("deps.db<Row[]>`select 1`"), ["deps.db"]);
  for (const start of [
    "({ sql }: Deps) =>",
    "(sql: Db) =>",
    "() => { const sql = deps.db; return",
  ]) {
    const end = start.includes("return") ? "}" : "";
    assert.deepEqual(tagsIn(`const f = ${start} sql\`select 1\`${end}; sql\`x\``), ["sql"], start);
  }
  assert.deepEqual(tagsIn("run<Row[]>(deps.sql)`select 1`; run(db, sql`select 1`); `text`"), []);
});

// V8 allocates a function assigned to a property in the old generation, where it keeps everything
// that it references alive. See tracing/statements.ts.
const ASSIGNED_FUNCTION =
  /\.[\w#]+ (?:\?\?)?=\s(?:async )?(?:function\b|(?:\([^()]*\)|\w+)(?:: [^=]+)? =>)/g;

test("no function is written in an assignment to a property", () =>
  check(({ text }) => [...text.matchAll(ASSIGNED_FUNCTION)].map(([found]) => found)));

test("nothing is left open or switched off in the sources", () =>
  check(
    ({ text }) => text.match(/\b(TODO|FIXME|HACK)\b|@ts-(ignore|nocheck|expect-error)/g) ?? [],
  ));

const PAGES = join(ROOT, "console/src");

test("the pages import nothing of src/ except the record types, and have a readable size", () =>
  check(({ text, imports }) => {
    const outside = imports.filter((path) => path.startsWith(".."));
    const foreign = outside.filter(
      (path) => !/^(\.\.\/)+src\/records\/types\/[\w-]+\.ts$/.test(path),
    );
    const lines = text.split("\n").length - 1;
    return [...foreign, ...(lines > LINES_MAX ? [`${lines} lines`] : [])];
  }, pages));

const textsIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => ending.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8"));

test("every component of the pages that has styles includes them", () => {
  const styles = readdirSync(join(ROOT, "node_modules/@mantine/core/styles"));
  const pages = textsIn(PAGES, /\.(css|tsx)$/);
  // The pages also use Mantine's other packages, which are built from components of the core package.
  const others = ["charts", "dropzone", "notifications"].flatMap((name) =>
    textsIn(join(ROOT, `node_modules/@mantine/${name}/esm`), /\.mjs$/),
  );
  const used = [...pages, ...others].flatMap((text) => {
    const [, names = ""] = /import \{([^}]*)\} from "@mantine\/core"/.exec(text) ?? [];
    return names.split(",").map((name) => name.trim());
  });
  const imported = pages.join("\n");
  const missing = [...new Set(used)].filter(
    (name) =>
      styles.includes(`${name}.layer.css`) &&
      !imported.includes(`"@mantine/core/styles/${name}.layer.css"`),
  );
  assert.ok(used.length > 100, "the components are found");
  assert.deepEqual(missing, []);
});
