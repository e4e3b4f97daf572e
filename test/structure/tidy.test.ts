/** Automated checks of the rules in CONTRIBUTING.md: allowed imports, names, and forbidden code. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { MODULES } from "../../src/service/modules.ts";
import { modulePicture } from "../../tools/module-picture.ts";
import { cyclesOf, importsBetween, moduleOf, readSources, ROOT } from "../../tools/sources.ts";
import { check as checkAll, type Rule } from "./check.ts";

/** The modules that each module may import. `main.ts`, `commands`, `service` and `settings` may import any module. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    MODULES.flatMap(({ name, imports }) => (imports === undefined ? [] : [[name, imports]])),
  ),
  platform: [],
  reference: ["settings", "events", "records"],
};

const TOP = new Set(["", "commands", "service", "settings"]);
const VAGUE_NAMES =
  /^(utils?|helpers?|common|shared|misc|types?|interfaces?|.*-?(service|controller|repository|manager|handler)|base|core|lib)\.ts$/;

const sources = readSources("src");
const pages = readSources("console/src");
const client = readSources("sdk/src");

const check = (rule: Rule, all = sources): void => checkAll(all, rule);

test("every module imports only the modules below it", () =>
  check(({ module, imports }) => {
    if (TOP.has(module)) return [];
    const allowed = MAY_IMPORT[module];
    if (allowed === undefined) return [`the module ${module} does not declare its imports`];
    return imports.filter((path) => {
      const other = moduleOf(path);
      return other !== module && other !== "platform" && !allowed.includes(other);
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
  ["sdk/src", client],
] as const) {
  test(`no files and no folders of ${folder} import each other in a cycle`, () => {
    // The client's folders import the errors and generated types at the top, which imports the folders.
    const inFolders = all.filter(({ path }) => all !== client || path.includes("/"));
    assert.deepEqual(cyclesOf(importsBetween(all, (path) => path)), []);
    assert.deepEqual(cyclesOf(importsBetween(inFolders, dirname)), []);
    assert.deepEqual(cyclesOf(importsBetween(inFolders, moduleOf)), []);
  });

  test(`a file of ${folder} imports each module once`, () =>
    check(({ text }) => {
      const imports = text.matchAll(/^import [^;]*from "([^"]+)";$/gm);
      const names = [...imports].map(([, name = ""]) => name);
      return names.filter((name, at) => names.indexOf(name) !== at);
    }, all));
}

for (const [folder, all] of [
  ["src", sources],
  ["console/src", pages],
] as const)
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

test("docs/modules.svg shows the modules as they import each other", () => {
  const file = readFileSync(join(ROOT, "docs/modules.svg"), "utf8");
  assert.equal(file, modulePicture(), "Run `node tools/module-picture.ts > docs/modules.svg`.");
});

const VOCABULARY = /\/(define|registry|subjects|type-facts|import-names\/names)\.ts$/;

test("record types are data: they import the vocabulary and each other, and hold no functions", () =>
  check(({ path, text, imports }) => {
    if (!path.startsWith("records/types/") || VOCABULARY.test(path)) return [];
    const foreign = imports.filter((name) => !name.startsWith("records/types/"));
    return [...foreign, ...(/=>|\bfunction\b/.test(text) ? ["a function"] : [])];
  }));

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
  check(({ text }) => text.match(/\brun(?:Raw)?\([^`;]*\btext: `[^`]*\$\{(?![A-Z_]+\})/g) ?? []));

test("statements name the columns that they return, because a later release may add some", () =>
  check(({ text }) => text.match(/\breturning \*|`\s*select \*[^`]*?\bfrom \w+/g) ?? []));

test("only the database module sends statements, and only the pool uses the driver", () =>
  check(({ path, text }) => [
    ...(/^platform\/(database|pool)\//.test(path) ? [] : (text.match(/\.submit\(/g) ?? [])),
    ...(path.startsWith("platform/pool/")
      ? []
      : (text.match(/from "(pg|pg-protocol|postgres-array)"/g) ?? [])),
  ]));

test("nothing is left open or switched off in the sources", () =>
  check(
    ({ text }) => text.match(/\b(TODO|FIXME|HACK)\b|@ts-(ignore|nocheck|expect-error)/g) ?? [],
  ));

const PAGES = join(ROOT, "console/src");

test("the pages import nothing of src/ except the parser of filters", () =>
  check(({ imports }) => {
    const outside = imports.filter((path) => path.startsWith(".."));
    return outside.filter((path) => !/^(\.\.\/)+src\/records\/filter\/tree\/index\.ts$/.test(path));
  }, pages));

const isParser = (path: string): boolean => path.startsWith("records/filter/tree/");

test("the parser of filters imports only types from other folders, and no packages", () => {
  const foreign = /^import (?!type )[^;]*? from "(?!\.\/)[^"]*"/gm;
  check(({ path, text }) => (isParser(path) ? (text.match(foreign) ?? []) : []));
});

test("only the parser reads the JSON of filters", () => {
  const reading =
    /(?:case|===|!==|\bin|[[(])\s*"\$(?:and|or|nor|not|n?in|eq|ne|[gl]te?|regex|options|all|size|elemMatch)"/g;
  const rule: Rule = ({ path, text }) => (isParser(path) ? [] : (text.match(reading) ?? []));
  check(rule);
  check(rule, pages);
});

/** Names of kinds of fields that are not used for anything else. */
const KINDS = ["long_text", "keyword", "fraction", "datetime", "social_profiles"];

test("only the folder of kinds distinguishes the kinds of fields on the pages", () =>
  check(({ path, text }) => {
    if (path.startsWith("kinds/")) return [];
    const tables =
      text.match(/switch \((kindOf\(|field\.kind)|<(ValueKind|Field\["kind"\])/g) ?? [];
    const named = KINDS.filter((kind) => text.includes(`"${kind}"`) || text.includes(`${kind}:`));
    return [...tables, ...(named.length > 1 ? named : [])];
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
