/**
 * Bundles the service and the packages that it uses to JavaScript. A start then loads 50 files instead of 1,500, which
 * takes half the processor time (docs/decisions/0008-package.md).
 */

import { dirname, join, relative, resolve, sep } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../sources.ts";

const SOURCES = join(ROOT, "src");

/** The packages that contain native code. npm installs them for the machine's platform. */
export const NATIVE: readonly string[] = ["@node-rs/argon2"];

/** Bundles the program into `folder`. Returns the paths of all bundled files. */
export async function bundle(folder: string): Promise<readonly string[]> {
  const build = await rolldown({
    input: { main: join(import.meta.dirname, "entry.ts") },
    cwd: ROOT,
    platform: "node",
    tsconfig: false,
    // `pg` tries to load `pg-native`, which we do not use.
    external: [...NATIVE, "pg-native"],
    plugins: [{ name: "folders", transform: { filter: { code: FOLDER }, handler: withFolder } }],
  });
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "[name].js",
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (path, map) => installedPath(resolve(dirname(map), path)),
  });
  await build.close();
  return output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
}

const FOLDER = /import\.meta\.dirname/;

/**
 * Source files find other files relative to their own folder. The bundle is at the top of src/, so the folder of the
 * source file is added to the folder of the bundle.
 */
function withFolder(code: string, path: string) {
  const folder = relative(SOURCES, dirname(path)).split(sep).join("/");
  if (folder.startsWith("..")) return null;
  const expression = `(import.meta.dirname + ${JSON.stringify(`/${folder}`)})`;
  // Lines stay the same, so the source map does not change.
  return { code: code.replaceAll("import.meta.dirname", expression), map: null };
}

/** The path of a source file in stack traces: as in a checkout, relative to src/. */
const installedPath = (path: string): string =>
  relative(SOURCES, path)
    .split(sep)
    .join("/")
    .replace(/^(?!\.)/, "./");
