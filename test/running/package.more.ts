/** The npm package: packed from this checkout, installed without scripts and development tools, and run. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { before, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { install, temporaryProject } from "../kit/npm-install.ts";
import { allFiles } from "../kit/started.ts";
import {
  kill,
  leadport,
  ROOT,
  settings,
  spawnLeadport,
  startLeadport,
  tokenOf,
} from "./leadport.ts";

const run = promisify(execFile);
/** The largest size of an installation without Node.js, in bytes: docs/releases.md#install-a-release */
const SIZE_MAX = 350 * 2 ** 20;

let project = "";
let root = "";

before(async () => {
  project = temporaryProject(allFiles);
  const { stdout } = await run("node", ["tools/package/main.ts", "--to", project], { cwd: ROOT });
  const [tarball = ""] = stdout.trim().split("\n").slice(-1);
  await install(project, [tarball]);
  root = join(project, "node_modules/leadport");
});

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("an installation is small, has all licenses, and contains no TypeScript", () => {
  const installed = filesOf(join(project, "node_modules"));
  const size = installed.reduce((sum, path) => sum + lstatSync(path).size, 0);
  assert.ok(size < SIZE_MAX, `${size} bytes`);
  const own = filesOf(root).filter(
    (path) => !path.includes("/node_modules/leadport/node_modules/"),
  );
  assert.deepEqual(
    own.filter((path) => path.endsWith(".ts")),
    [],
  );
  const licenses = readFileSync(join(root, "THIRD-PARTY.md"), "utf8");
  for (const name of ["fastify", "pg", "react", "@mantine/core"]) {
    assert.match(licenses, new RegExp(`^## ${name} [^]*?Permission is hereby granted`, "m"), name);
  }
});

test("each file of the program can be loaded", async () => {
  const files = filesOf(join(root, "src")).filter(
    (path) => path.endsWith(".js") && !path.endsWith("/main.js") && !path.includes("/assets/"),
  );
  const imports = files.map((path) => `await import(${JSON.stringify(pathToFileURL(path))});`);
  await run("node", ["--input-type=module", "--eval", `${imports.join("\n")}\nprocess.exit(0);`]);
});

test("commands print the same as in a checkout, and errors name the TypeScript source", async (t) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const env = settings(t);
  const linked = await run(join(project, "node_modules/.bin/leadport"), ["--version"]);
  assert.match(linked.stdout, new RegExp(`^leadport ${version}\\b`));
  const described = await leadport(t, ["openapi"], { root, env });
  assert.equal(described.out, readFileSync(join(ROOT, "openapi.json"), "utf8"));
  const through = ["sh", "-c", `"$0" bin/leadport key > /dev/full`, process.execPath];
  const failed = await spawnLeadport(t, [], { root, env, through }).ended;
  assert.match(failed.err, /ENOSPC[^]*\/leadport\/src\/commands\/key\.ts:\d+:\d+/);
});

/** Requests a path. Returns the body of a successful response. */
async function read(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: "text/html, */*" } });
  assert.equal(response.status, 200, url);
  return response.text();
}

/** Requests every page and file that the page at `url` refers to. */
async function readLinked(url: string): Promise<void> {
  const page = await read(url);
  const links = [...page.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path = ""]) => path);
  assert.ok(links.length > 0, url);
  for (const path of new Set(links)) await read(new URL(path, url).href);
}

async function startInstalled(t: TestContext) {
  const env = settings(t);
  const service = await startLeadport(t, { root, env });
  const headers = {
    authorization: `Bearer ${tokenOf(env.DATA_DIR)}`,
    "content-type": "application/json",
  };
  const send = async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(service.base + path, { method, headers, ...sent });
    const answer = (await response.json()) as { readonly id?: string };
    return { status: response.status, body: answer };
  };
  return { ...service, env, send };
}

test("an installed service serves records, sign-in, the console and the documentation", async (t) => {
  const { base, env, send, pid, ended, out } = await startInstalled(t);
  const created = await send("POST", "/crm/leads", { name: "Ada Example" });
  assert.equal(created.status, 200);
  assert.deepEqual((await send("GET", `/crm/leads/${created.body.id}`)).body, created.body);
  const [, token = ""] = /\/link#(\w+)/.exec(out()) ?? [];
  // Uses the native package, and the list of common passwords, which is loaded on demand.
  const person = { name: "Ada Example", email: "ada@example.com" };
  const used = await send("POST", "/auth/links/use", {
    token,
    password: "correct horse battery",
    ...person,
  });
  assert.equal(used.status, 200);
  for (const path of ["/", "/docs/", "/docs/partner", "/docs/guides"])
    await readLinked(base + path);
  await read(`${base}/sdk/leadport-client.tgz`);
  const checked = await leadport(t, ["doctor", "--json"], { root, env });
  const { findings } = JSON.parse(checked.out) as { findings: readonly { status: string }[] };
  assert.deepEqual(
    findings.filter(({ status }) => status === "error"),
    [],
  );
  kill(pid, "SIGTERM");
  assert.equal((await ended).code, 0);
});
