/** The house's rules that a machine can check: who may import whom, sizes, names, what is never used. */

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
  readonly room: string;
  /** Local imports, as paths below src/. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

/** What each room may enter. The roots (src/*.ts and commands/) may enter all; nothing enters them. */
const MAY_ENTER: Readonly<Record<string, readonly string[]>> = {
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

const ROOTS = new Set(["", "commands"]);
const LINES_MAX = 300;
const VAGUE_NAMES =
  /^(utils?|helpers?|common|shared|misc|types?|interfaces?|.*-?(service|controller|repository|manager|handler)|base|core|lib)\.ts$/;

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
      room: path.includes("/") ? (path.split("/")[0] ?? "") : "",
      imports: local.map((name) => relative(SRC, normalize(join(SRC, dirname(path), name)))),
      packages: named.filter((name) => !name.startsWith(".")),
    };
  });

const roomOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");

/** Every source that a rule finds something in, with what it found. */
function check(rule: (source: Source) => readonly string[]): void {
  assert.ok(sources.length > 50, "the sources are found");
  const found = sources.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));
  assert.deepEqual(found, []);
}

test("every room enters only the rooms below it", () =>
  check(({ room, imports }) => {
    if (ROOTS.has(room)) return [];
    const allowed = MAY_ENTER[room];
    if (allowed === undefined) return [`the room ${room} is not in the table`];
    return imports.filter((path) => {
      const other = roomOf(path);
      // Settings and the classes of start errors are the roots' own; rooms get values.
      return other !== room && !allowed.includes(other);
    });
  }));

test("another room is entered by its index.ts", () =>
  check(({ room, imports }) =>
    imports.filter((path) => {
      const other = roomOf(path);
      return (
        other !== room && other in MAY_ENTER && other !== "platform" && !path.endsWith("/index.ts")
      );
    }),
  ));

test("record types are data: they import the vocabulary and each other, and hold no functions", () =>
  check(({ path, text, imports }) => {
    if (!path.startsWith("records/types/")) return [];
    const foreign = imports.filter(
      (name) => name !== "records/define.ts" && !name.startsWith("records/types/"),
    );
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
  "platform/clock.ts",
  "platform/data-folder.ts",
  "platform/embedded/postmaster.ts",
  "platform/tls.ts",
]);

test("time comes from the clock that is passed in", () =>
  check(({ path, text }) =>
    BEFORE_THE_CLOCK.has(path) ? [] : (text.match(/\bDate\.now\(\)|new Date\(\)/g) ?? []),
  ));

test("nothing leaves the machine by another door than platform/outgoing.ts", () =>
  check(({ path, text, packages }) => {
    // Mail goes to the installation's own server, which no request can name.
    if (path === "platform/outgoing.ts" || path === "platform/mail.ts") return [];
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
      const foreign = outside.filter(
        (name) => !/src\/records\/(define|types\/[\w-]+)\.ts$/.test(name),
      );
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
