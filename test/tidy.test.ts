/** The rules of CONTRIBUTING that a machine can check: who may import whom, sizes, names, what is never used. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import test from "node:test";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

interface Source {
  /** Below src/, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly module: string;
  /** Local imports, as paths below src/. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

/** What each module may import. `main.ts`, `commands`, `service` and `settings` may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  audit: ["platform"],
  access: ["platform", "audit"],
  people: ["platform", "audit", "access"],
  records: ["platform", "audit", "access"],
  events: ["platform", "audit", "access", "records", "delivery"],
  files: ["platform", "audit", "access", "records"],
  delivery: ["platform", "audit", "access"],
  system: ["platform", "audit", "access", "people"],
  exchange: ["platform", "audit", "access", "records", "delivery", "events"],
};

const TOP = new Set(["", "commands", "service", "settings"]);
const FILES_MAX = 20;
const DEPTH_MAX = 3;
const LINES_MAX = 300;
const VAGUE_NAMES =
  /^(utils?|helpers?|common|shared|misc|types?|interfaces?|.*-?(service|controller|repository|manager|handler)|base|core|lib)\.ts$/;

const moduleOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join(SRC, path), "utf8");
    const named = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
      ([, name]) => name ?? "",
    );
    const local = named.filter((name) => name.startsWith("."));
    return {
      path,
      text,
      module: moduleOf(path),
      imports: local.map((name) => relative(SRC, normalize(join(SRC, dirname(path), name)))),
      packages: named.filter((name) => !name.startsWith(".")),
    };
  });

/** Every source that a rule finds something in, with what it found. */
function check(rule: (source: Source) => readonly string[]): void {
  assert.ok(sources.length > 50, "the sources are found");
  const found = sources.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));
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

/** Groups of names of which each can be reached from every other; a graph without cycles has none. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reach = (from: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const open = [...(graph.get(from) ?? [])];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      open.push(...(graph.get(name) ?? []));
    }
    return reached;
  };
  return [...graph.keys()].filter((name) => reach(name).has(name));
}

/** The imports between files, or between the folders that they are in. */
function importsBetween(nameOf: (path: string) => string): ReadonlyMap<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const to = graph.get(nameOf(path)) ?? new Set();
    for (const imported of imports) if (nameOf(imported) !== nameOf(path)) to.add(nameOf(imported));
    graph.set(nameOf(path), to);
  }
  return graph;
}

test("no files and no folders import each other in a cycle", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["a"])],
    ["c", new Set(["a"])],
  ]);
  assert.deepEqual(cyclesOf(graph), ["a", "b"]);
  assert.deepEqual(cyclesOf(importsBetween((path) => path)), []);
  // main.ts starts the commands, which are loaded one by one.
  assert.deepEqual(cyclesOf(importsBetween((path) => dirname(path))), []);
});

/** A folder whose files are entered one by one: each command is loaded alone. */
const isOpen = (folder: string): boolean => folder === "commands" || folder.startsWith("commands/");

test("a folder is entered by its index.ts", () =>
  check(({ path, imports }) =>
    imports.filter((imported) => {
      const folder = dirname(imported);
      const isInside = `${dirname(path)}/`.startsWith(`${folder}/`);
      return folder !== "." && !isInside && !isOpen(folder) && !imported.endsWith("/index.ts");
    }),
  ));

test("a folder has at most 20 files and lies at most three levels deep", () => {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path));
  const found = [...folders].filter(
    ([folder, files]) => files.length > FILES_MAX || folder.split("/").length > DEPTH_MAX,
  );
  assert.deepEqual(
    found.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  );
});

test("a file imports each module once", () =>
  check(({ text }) => {
    const names = [...text.matchAll(/^import [^;]*from "([^"]+)";$/gm)].map(
      ([, name = ""]) => name,
    );
    return names.filter((name, at) => names.indexOf(name) !== at);
  }));

test("record types are data: they import the vocabulary and each other, and hold no functions", () =>
  check(({ path, text, imports }) => {
    if (!path.startsWith("records/types/") || path.endsWith("/define.ts")) return [];
    const foreign = imports.filter((name) => !name.startsWith("records/types/"));
    return [...foreign, ...(/=>|\bfunction\b/.test(text) ? ["a function"] : [])];
  }));

test("a file opens with what it is for", () =>
  check(({ text }) => (/^\/\*\*? ?\S|^\/\*\*\n/.test(text) ? [] : ["no opening comment"])));

test("no file is longer than 300 lines", () =>
  check(({ text }) => {
    const lines = text.split("\n").length - 1;
    return lines > LINES_MAX ? [`${lines} lines`] : [];
  }));

test("files are named for what they hold, in kebab-case", () =>
  check(({ path }) => {
    const name = path.split("/").at(-1) ?? "";
    return /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name) && !VAGUE_NAMES.test(name) ? [] : [name];
  }));

/** What runs before there is a clock to pass: who holds the folder, its log, the certificate. */
const BEFORE_THE_CLOCK = new Set([
  "platform/clock/clock.ts",
  "platform/storage/data-folder.ts",
  "platform/embedded/postmaster.ts",
  "platform/storage/tls.ts",
]);

test("time comes from the clock that is passed in", () =>
  check(({ path, text }) =>
    BEFORE_THE_CLOCK.has(path) ? [] : (text.match(/\bDate\.now\(\)|new Date\(\)/g) ?? []),
  ));

test("nothing leaves the machine by another way than platform/outgoing", () =>
  check(({ path, text, packages }) => {
    // Mail goes to the installation's own server, which no request can name.
    if (path === "platform/outgoing/outgoing.ts" || path === "platform/outgoing/mail.ts") return [];
    // Traces go to the collector of the settings, which no request can name.
    if (path === "platform/tracing/otlp.ts") return [];
    const clients = packages.filter((name) =>
      /^(undici|node:https?|axios|got|nodemailer|@opentelemetry\/exporter-.*)$/.test(name),
    );
    // Types and the list of methods open no connection.
    const harmless =
      /import (type \{[^}]*\}|\{(\s*(type \w+|METHODS( as \w+)?),?)+\s*\}) from "node:https?"/.test(
        text,
      );
    return [...(harmless ? [] : clients), ...(text.match(/\bfetch\(/g) ?? [])];
  }));

test("SQL takes no identifier or value by gluing texts together", () =>
  check(({ text }) => text.match(/unsafe\(`[^`]*\$\{(?![A-Z_]+\})/g) ?? []));

// V8 allocates such a function among the old objects, where it keeps all that it reaches: settled-query.ts.
const ASSIGNED_FUNCTION =
  /\.[\w#]+ (?:\?\?)?=\s(?:async )?(?:function\b|(?:\([^()]*\)|\w+)(?:: [^=]+)? =>)/g;

test("no function is written where it is assigned to a property", () =>
  check(({ text }) => [...text.matchAll(ASSIGNED_FUNCTION)].map(([found]) => found)));

test("nothing is left open or switched off in the sources", () =>
  check(
    ({ text }) => text.match(/\b(TODO|FIXME|HACK)\b|@ts-(ignore|nocheck|expect-error)/g) ?? [],
  ));

const PAGES = join(ROOT, "console/src");

test("the pages enter nothing of src/ but the record types, and are of a readable size", () => {
  const found = readdirSync(PAGES, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(PAGES, path), "utf8");
      const outside = [...text.matchAll(/from\s*"((?:\.\.\/)+src\/[^"]+)"/g)].map(
        ([, name = ""]) => name,
      );
      const foreign = outside.filter((name) => !/src\/records\/types\/[\w-]+\.ts$/.test(name));
      const lines = text.split("\n").length - 1;
      const long = lines > LINES_MAX ? [`${lines} lines`] : [];
      return [...foreign, ...long].map((what) => `${path}: ${what}`);
    });
  assert.deepEqual(found, []);
});

const textsIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => ending.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8"));

test("every component of the pages that has styles has them", () => {
  const styles = readdirSync(join(ROOT, "node_modules/@mantine/core/styles"));
  const pages = textsIn(PAGES, /\.(css|tsx)$/);
  // What the pages use of Mantine's other packages is made of the same components.
  const others = ["charts", "dates", "dropzone", "notifications"].flatMap((name) =>
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
