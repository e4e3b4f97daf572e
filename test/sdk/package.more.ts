/** What would be published: printed types that are fresh, a package that plain JavaScript imports, examples that run. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { makePartner } from "../exchange/partner-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { api } from "./sdk-kit.ts";

const ROOT = join(import.meta.dirname, "../..");
const SDK = join(ROOT, "sdk");
const run = promisify(execFile);
const fromRoot = createRequire(join(ROOT, "package.json"));
/** The compilers: the project's own builds the package, the other is what many users still have. */
const TSC = join(dirname(fromRoot.resolve("typescript/package.json")), "bin/tsc");
const OLDER_TSC = createRequire(join(SDK, "package.json")).resolve("typescript/bin/tsc");

/** A project that has the packed package installed, and no other. */
async function installed(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "leadport-sdk-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const source = join(folder, "source");
  mkdirSync(source);
  for (const name of ["package.json", "README.md", "LICENSE"]) {
    copyFileSync(join(SDK, name), join(source, name));
  }
  const build = ["-p", join(SDK, "tsconfig.build.json"), "--outDir", join(source, "dist")];
  await run(process.execPath, [TSC, ...build]);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: source,
  });
  const [{ filename, files }] = JSON.parse(stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  const kinds = new Set(files.map(({ path }) => path.replace(/^dist\/[a-z-]+/, "dist/*")));
  const expected = ["LICENSE", "README.md", "dist/*.d.ts", "dist/*.js", "package.json"];
  assert.deepEqual([...kinds].toSorted(), expected);
  const target = join(folder, "project/node_modules/@leadport/client");
  mkdirSync(target, { recursive: true });
  await run("tar", ["xzf", join(folder, filename), "-C", target, "--strip-components=1"]);
  writeFileSync(join(folder, "project/package.json"), '{"type": "module"}');
  return join(folder, "project");
}

test("sdk/src/api.ts is what `npm run sdk:types` prints of openapi.json", async () => {
  await run("npm", ["run", "-s", "sdk:types", "--", "--check"], { cwd: ROOT });
});

test("the packed package is imported by plain JavaScript, and its examples compile and run", async (t) => {
  const project = await installed(t);
  /** Runs a program in the project for a new tenant; what it prints. */
  const printed = async (file: string): Promise<string> => {
    const client = await api.tenant();
    const { partner_id, access_code } = await makePartner(client);
    const env = {
      ...process.env,
      LEADPORT_URL: api.url,
      LEADPORT_TOKEN: client.bearer,
      PARTNER_ID: partner_id,
      ACCESS_CODE: access_code,
    };
    return (await run(process.execPath, [file], { cwd: project, env })).stdout;
  };
  const plain = `
    import { createClient } from "@leadport/client";
    const { LEADPORT_URL: url, LEADPORT_TOKEN: token } = process.env;
    const made = await createClient({ url, token }).post("/crm/leads", { body: { name: "Plain" } });
    console.log(made.version);`;
  writeFileSync(join(project, "plain.mjs"), plain);
  assert.equal((await printed("plain.mjs")).trim(), "1");

  writeFileSync(
    join(project, "readme.ts"),
    examplesOf(readFileSync(join(SDK, "README.md"), "utf8")),
  );
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  symlinkSync(
    dirname(fromRoot.resolve("@types/node/package.json")),
    join(project, "node_modules/@types/node"),
  );
  const strict =
    "--noEmit --skipLibCheck --strict --exactOptionalPropertyTypes --module nodenext --target es2022";
  const options = [...strict.split(" "), "--types", "node", "readme.ts"];
  const compiled = run(process.execPath, [OLDER_TSC, ...options], { cwd: project }).catch(
    ({ stdout }: { stdout: string }) => assert.fail(stdout),
  );
  const lines = ["Mara Lind 1", "body.birth_month", "[ 'called' ]", "lead", "pending"];
  // A write of another test that is not committed yet delays the change feed of the whole server.
  await eventually(
    () => printed("readme.ts"),
    (stdout) => lines.every((line) => stdout.includes(line)),
    60_000,
  );
  await compiled;
});

/** The examples of a page, one after another, as one module. */
function examplesOf(page: string): string {
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  assert.ok(blocks.length > 8);
  const imports = blocks.flatMap((code) => code.match(/^import .*$/gm) ?? []);
  return [...imports, ...blocks.map((code) => code.replaceAll(/^import .*$/gm, ""))].join("\n");
}
