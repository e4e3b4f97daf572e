/** The licenses of the packages that a package of Leadport contains, as most licenses require. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const LICENSE_FILE = /^(licen[cs]e|notice|copying)/i;

/** Returns the folders of the packages that contain the files at `paths`, sorted by package. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const inPackage = new RegExp(
    `^(.*[\\${sep}]node_modules[\\${sep}](?:@[^\\${sep}]+[\\${sep}])?[^\\${sep}]+)`,
  );
  const folders = paths.map((path) => inPackage.exec(path.replace(/^\0/, ""))?.[1]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

function noticeOf(folder: string): readonly [title: string, text: string] {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { name: string; version: string; license?: string };
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LICENSE_FILE.test(entry.name),
  );
  const texts = files.map((file) => readFileSync(join(folder, file.name), "utf8").trim());
  return [`${name} ${version} (${license ?? "see below"})`, texts.join("\n\n")];
}

/** Returns the licenses of the packages from which the files at `paths` were bundled, and those of the pages. */
export function noticesOf(paths: readonly string[], pages: string): string {
  const notices = new Map(foldersOf(paths).map(noticeOf));
  const parts = [...notices].map(([title, text]) => `## ${title}\n\n${text}`);
  const ofPages = join(pages, ".vite/license.md");
  if (!existsSync(ofPages)) throw new Error(`${ofPages} is missing. Run \`npm run build\`.`);
  return [
    "# Third-party software",
    "Leadport contains the following packages.",
    ...parts,
    "# Third-party software of the pages",
    readFileSync(ofPages, "utf8")
      .replaceAll(/^# .*\n/gm, "")
      .trim(),
    "",
  ].join("\n\n");
}
