/** Builds the files of a release: the package, the list of what it contains, and their checksums. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pack } from "../package/pack.ts";
import { ROOT } from "../sources.ts";

/**
 * Returns the software bill of materials (CycloneDX): all packages, with versions and licenses, that are bundled or
 * installed with a release, and those that build its pages.
 */
function billOfMaterials(): string {
  const options = ["--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"];
  return execFileSync("npm", ["sbom", ...options], { cwd: ROOT, encoding: "utf8" });
}

const checksumOf = (path: string): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex");

/** Builds the files of the checkout's version in a folder, which is replaced. Returns their paths. */
export async function buildArtifacts(folder: string): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = await pack(folder);
  const bill = packed.replace(/\.tgz$/, ".sbom.json");
  writeFileSync(bill, billOfMaterials());
  const sums = join(folder, "SHA256SUMS");
  const lines = [packed, bill].map((path) => `${checksumOf(path)}  ${basename(path)}\n`);
  writeFileSync(sums, lines.join(""));
  return [packed, bill, sums];
}
