/** Packs the checkout as an npm package. */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { workingTree } from "../../bench/guard/checkout.ts";
import { ROOT } from "../sources.ts";
import { stage } from "./stage.ts";

/** Packs the checkout into a folder, which is created if it is missing. Returns the path of the file. */
export async function pack(folder: string): Promise<string> {
  const { commit, isChanged } = await workingTree();
  const contents = join(ROOT, "dist/package");
  // No commit describes a changed working tree.
  await stage(contents, isChanged ? undefined : commit);
  mkdirSync(folder, { recursive: true });
  const options = ["--pack-destination", folder, "--json", "--loglevel=error"];
  const printed = execFileSync("npm", ["pack", contents, ...options], { encoding: "utf8" });
  const [{ filename = "" } = {}] = JSON.parse(printed) as { filename?: string }[];
  return join(folder, filename);
}
