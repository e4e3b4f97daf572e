/** `npm run release`, in a copy of the project with its own git repository. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { copyProject, runIn } from "./project-copy.ts";

/** A version that is greater than every real one. */
const VERSION = "99.1.0";
const CHANGE =
  "Added: A release has a list of its packages. See [docs/releases.md](../docs/releases.md).\n";

async function startRelease(t: TestContext) {
  const copy = await copyProject(t, {
    files: { "changelog.d/release-test.md": CHANGE },
    changes: {},
  });
  const git = async (...args: readonly string[]): Promise<string> =>
    (await runIn(copy, "git", ...args)).trim();
  await git("init", "--quiet");
  await git("config", "user.name", "Ada Example");
  await git("config", "user.email", "ada@example.com");
  // The copy has links to the packages.
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Start");
  const release = (...args: readonly string[]) =>
    runIn(copy, "node", "tools/release/main.ts", ...args);
  const read = (path: string): string => readFileSync(join(copy, path), "utf8");
  return { copy, git, release, read };
}

test("a release that cannot be made states the reason, and a dry run changes nothing", async (t) => {
  const { copy, git, release } = await startRelease(t);
  const before = await git("rev-parse", "HEAD");
  await assert.rejects(release("next"), /next is not a version such as 1\.2\.3/);
  await assert.rejects(release("0.0.9"), /0\.0\.9 is not greater than the current version/);
  await assert.rejects(release(), /Usage: npm run release/);
  assert.match(await release("--help"), /--dry-run/);
  const described = await release(VERSION, "--dry-run");
  assert.match(described, new RegExp(`^${VERSION} can be released from ${before}`));
  assert.match(described, /changelog\.d\/release-test\.md \(removed\)/);
  assert.match(
    described,
    new RegExp(`## ${VERSION} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n\\*\\*Added\\*\\*`),
  );
  assert.equal(await git("rev-parse", "HEAD"), before);
  assert.equal(await git("status", "--porcelain"), "");
  writeFileSync(join(copy, "unfinished.ts"), "");
  await assert.rejects(release(VERSION), /changes that are not committed:\n\?\? unfinished\.ts/);
  await git("tag", `v${VERSION}`);
  await assert.rejects(release(VERSION), new RegExp(`The tag v${VERSION} already exists`));
});

test("a release has a tag, a section of the changelog, an entry in releases.json, and files with checksums", async (t) => {
  const { copy, git, release, read } = await startRelease(t);
  await release(VERSION);
  assert.equal(await git("status", "--porcelain"), "");
  assert.equal(await git("cat-file", "-t", `v${VERSION}`), "tag");
  const commit = await git("rev-parse", `v${VERSION}^{commit}`);
  assert.equal(commit, await git("rev-parse", "HEAD~1"));
  const [entry] = (JSON.parse(read("releases.json")) as readonly object[]).slice(-1);
  const date = new Date().toISOString().slice(0, 10);
  assert.deepEqual(entry, { version: VERSION, date, commit });
  assert.deepEqual(readdirSync(join(copy, "changelog.d")), [".gitkeep"]);
  const item = CHANGE.replace("Added: ", "- ").replace("](../", "](");
  assert.ok(read("CHANGELOG.md").includes(`## ${VERSION} (${date})\n\n**Added**\n\n`));
  assert.ok(read("CHANGELOG.md").includes(item));
  for (const path of ["package.json", "console/package.json", "package-lock.json"]) {
    assert.equal((JSON.parse(read(path)) as { version: string }).version, VERSION, path);
  }
  const files = join(copy, "dist", VERSION);
  assert.match(await runIn(files, "sha256sum", "--check", "SHA256SUMS"), /: OK\n.*: OK\n/);
  const bill = JSON.parse(read(`dist/${VERSION}/leadport-${VERSION}.sbom.json`)) as {
    readonly components: readonly { readonly name: string }[];
  };
  assert.ok(bill.components.some(({ name }) => name === "fastify"));
  const tarball = join(files, `leadport-${VERSION}.tgz`);
  const manifest = await runIn(copy, "tar", "-xzOf", tarball, "package/package.json");
  const { version, gitHead, engines } = JSON.parse(manifest) as Record<string, unknown>;
  assert.deepEqual(
    { version, gitHead, engines },
    { version: VERSION, gitHead: commit, engines: { node: ">=24" } },
  );
});
