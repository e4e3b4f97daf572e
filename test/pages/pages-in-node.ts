/** Lets Node.js load modules of the pages that import JSX or styles. */

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "rolldown/utils";

const CLIENT = pathToFileURL(join(import.meta.dirname, "../../sdk/src/index.ts")).href;

// The pages read the address of the service when they are loaded.
Object.assign(globalThis, { location: { origin: "http://127.0.0.1:1" } });

registerHooks({
  resolve: (name, context, next) => next(name === "@leadport/client" ? CLIENT : name, context),
  load: (url, context, next) => {
    if (url.endsWith(".css")) {
      return { format: "module", source: "export default {};", shortCircuit: true };
    }
    if (!url.endsWith(".tsx")) return next(url, context);
    const path = fileURLToPath(url);
    const { code } = transformSync(path, readFileSync(path, "utf8"), {
      jsx: { runtime: "automatic" },
    });
    return { format: "module", source: code, shortCircuit: true };
  },
});

/** Loads a module of the pages, such as `records/form/draft.ts`. Its types need a browser, so tests state them. */
export const pageModule = async <T>(path: string): Promise<T> =>
  (await import(pathToFileURL(join(import.meta.dirname, "../../console/src", path)).href)) as T;
