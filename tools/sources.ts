/** The files of src/ and their imports, for the structure tests and the module diagram. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

export interface Source {
  /** The path relative to the folder that was read, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The first folder of the path; "" for a file at the top. */
  readonly module: string;
  /** Imported files, in the same format as `path`. */
  readonly imports: readonly string[];
  /** The imported files that are loaded on demand, with `import()`. */
  readonly lazyImports: readonly string[];
  readonly packages: readonly string[];
}

export const moduleOf = (path: string): string =>
  path.includes("/") ? (path.split("/")[0] ?? "") : "";

/** Reads the TypeScript files below a folder of the project, such as `src`. */
export function readSources(folder: string): readonly Source[] {
  const base = join(ROOT, folder);
  return readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(base, path), "utf8");
      const named = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
        ([, name = ""]) => name,
      );
      const lazy = [...text.matchAll(/import\(\s*"([^"]+)"/g)].map(([, name = ""]) => name);
      const pathsOf = (names: readonly string[]): readonly string[] =>
        names
          .filter((name) => name.startsWith("."))
          .map((name) => relative(base, normalize(join(base, dirname(path), name))));
      return {
        path,
        text,
        module: moduleOf(path),
        imports: pathsOf(named),
        lazyImports: pathsOf(lazy),
        packages: named.filter((name) => !name.startsWith(".")),
      };
    });
}

/**
 * The imports between modules or files. `nameOf` returns the name of the module or file to which a path belongs.
 * Imports within the same module or file are left out.
 */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export function importsBetween(
  sources: readonly Source[],
  nameOf: (path: string) => string,
): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = nameOf(path);
    const to = graph.get(from) ?? new Set();
    for (const imported of imports) if (nameOf(imported) !== from) to.add(nameOf(imported));
    graph.set(from, to);
  }
  return graph;
}

/** Returns everything that can be reached from a name. */
export function reachedFrom(graph: Graph, from: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...(graph.get(name) ?? []));
  }
  return reached;
}

/** Returns the names that are part of a cycle. */
export const cyclesOf = (graph: Graph): readonly string[] =>
  [...graph.keys()].filter((name) => reachedFrom(graph, name).has(name));
