/** `npm run release -- <version>`: releases the checkout. `--help` explains it, docs/releases.md describes the steps. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../sources.ts";
import { buildArtifacts } from "./artifacts.ts";
import { CannotRelease, git, type Plan, planRelease } from "./plan.ts";

const HELP = `Usage: npm run release -- <version> [--dry-run]

Releases the checkout as <version>, such as 0.2.0:

  1. Writes the version, and moves the changes from changelog.d to CHANGELOG.md.
  2. Commits this, and tags the commit v<version>.
  3. Builds the package, its software bill of materials, and SHA256SUMS in dist/<version>.
  4. Adds the version and its commit to releases.json, and commits this.

Nothing is pushed or published. Run \`npm run check\`, \`npm test\` and \`npm run test:more\` before.

  --dry-run    Check whether the version can be released, and print what would change.
  --help       Print this text.
`;

const RELEASES = "releases.json";

const write = (path: string, text: string): void => writeFileSync(join(ROOT, path), text);

function commitRelease({ version, tag, written, removed }: Plan): string {
  for (const [path, text] of Object.entries(written)) write(path, text);
  for (const path of removed) rmSync(join(ROOT, path));
  git("add", "--all");
  git("commit", "--quiet", "--message", `release: ${version}`);
  git("tag", "--annotate", tag, "--message", `Leadport ${version}`);
  return git("rev-parse", "HEAD");
}

/** Lists a release in a commit of its own, because a commit cannot contain its own hash. */
function commitList({ version, date }: Plan, commit: string): void {
  const releases = JSON.parse(readFileSync(join(ROOT, RELEASES), "utf8")) as object[];
  write(RELEASES, `${JSON.stringify([...releases, { version, date, commit }], undefined, 2)}\n`);
  git("add", RELEASES);
  git("commit", "--quiet", "--message", `releases: List ${version}`);
}

async function release(plan: Plan): Promise<void> {
  const { version, tag, from } = plan;
  try {
    const commit = commitRelease(plan);
    const files = await buildArtifacts(join(ROOT, "dist", version));
    commitList(plan, commit);
    console.log(`Released ${version} as ${commit}.\n\n${files.join("\n")}\n`);
    console.log(`To publish it, push the branch and the tag: git push --follow-tags`);
  } catch (error) {
    console.error(`The release failed. To undo it: git tag -d ${tag}; git reset --hard ${from}`);
    throw error;
  }
}

function describe({ version, tag, from, section, written, removed }: Plan): void {
  const files = [...Object.keys(written), ...removed.map((path) => `${path} (removed)`), RELEASES];
  console.log(`${version} can be released from ${from} with the tag ${tag}.\n`);
  console.log(`These files would change:\n\n${files.map((path) => `  ${path}`).join("\n")}\n`);
  console.log(`The new section of CHANGELOG.md:\n\n${section}`);
}

async function main(): Promise<number> {
  const options = { "dry-run": { type: "boolean" }, help: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [version] = positionals;
  if (values.help === true) console.log(HELP);
  else if (version === undefined || positionals.length > 1) {
    console.error(HELP);
    return 2;
  } else {
    const plan = planRelease(version);
    if (values["dry-run"] === true) describe(plan);
    else await release(plan);
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof CannotRelease ? error.message : error);
  process.exitCode = 1;
}
