/**
 * Clients that two code generators print from openapi.json: they compile under `strict` and work against a
 * running service. The generator that is not a development dependency is installed into a temporary folder.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { fileApi } from "../kit/file-api.ts";
import { parseRfc4180 } from "../kit/rfc4180.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const fromRoot = createRequire(join(ROOT, "package.json"));
const fromSdk = createRequire(join(ROOT, "sdk/package.json"));
const PACKAGES = ["openapi-fetch@0.17.0", "swagger-typescript-api@13.13.0"];
const INSTALL_TIMEOUT_ms = 240_000;
const COMMAND_TIMEOUT_ms = 240_000;

const api = await fileApi();
const project = mkdtempSync(join(tmpdir(), "leadport-generated-"));
after(() => rmSync(project, { recursive: true, force: true }));
const description = join(project, "openapi.json");

before(async () => {
  writeFileSync(description, await (await fetch(`${api.url}/openapi.json`)).text());
  writeFileSync(join(project, "package.json"), '{"type": "module", "private": true}');
  writeFileSync(join(project, "shared.ts"), SHARED);
  await install();
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  const nodeTypes = dirname(fromRoot.resolve("@types/node/package.json"));
  symlinkSync(nodeTypes, join(project, "node_modules/@types/node"));
});

async function install(): Promise<void> {
  const options = ["--prefix", project, "--no-audit", "--no-fund", "--ignore-scripts"];
  const command = ["install", ...options, ...PACKAGES];
  await run("npm", command, { cwd: project, timeout: INSTALL_TIMEOUT_ms }).catch(
    ({ stderr, killed }: { stderr: string; killed: boolean }) => {
      const reason = killed ? `no end after ${INSTALL_TIMEOUT_ms / 1000} s` : stderr;
      const how = "This test needs a package registry that npm can reach";
      assert.fail(`npm could not install ${PACKAGES.join(" and ")}. ${how}: ${reason}`);
    },
  );
}

/** Runs a script with this Node; what it printed. */
async function node(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: project, env: { ...process.env, ...env }, timeout: COMMAND_TIMEOUT_ms };
  const { stdout } = await run(process.execPath, [script, ...args], options).catch(
    (error: Error & { stdout: string; stderr: string }) =>
      assert.fail([error.message, error.stdout, error.stderr].join("\n")),
  );
  return stdout;
}

/** What both clients send. */
const SHARED = `
export const { LEADPORT_URL: url = "", LEADPORT_TOKEN: token = "" } = process.env;
export const lead = { name: "Ada, Example", email: "ada@example.com", comments: "One\\ntwo ü" };
export const webhook = {
  events: ["lead.created" as const],
  url: "https://hooks.example.com/leads",
  filter: { lead_status: "open" },
};
export const csv = "Name,Email\\r\\nBo Müller,bo@example.com\\r\\n" + "x".repeat(501) + ",\\r\\n";
`;

const WITH_OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";
import { csv, lead, token, url, webhook } from "../shared.js";

const headers = { Authorization: "Bearer " + token };
const client = createClient<paths>({ baseUrl: url, headers });

function ok<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const created: components["schemas"]["LeadResponse"] = ok(await client.POST("/crm/leads", { body: lead }));
const path = { lead_id: created._id };
const read = ok(await client.GET("/crm/leads/{lead_id}", { params: { path } }));
const list = ok(await client.GET("/crm/leads", { params: { query: { page_size: 5 } } }));
const listed: string[] = list.leads.map(({ name }) => name);
const { secret }: { secret: string } = ok(await client.POST("/crm/webhooks", { body: webhook }));
const accessToken = ok(
  await client.POST("/crm/admin/access_tokens", { body: { name: "CI", permissions: ["records:read"] } }),
);
const issued: string = accessToken.token;
const exported: string = ok(await client.GET("/crm/leads/export", { parseAs: "text" }));
const file: Blob = ok(await client.GET("/crm/leads/export", { parseAs: "blob" }));
const prepared = ok(await client.POST("/crm/imports", { body: { type: "leads", file_name: "a.csv" } }));
const imported = ok(
  await client.PUT("/crm/imports/{import_id}/data", {
    params: { path: { import_id: prepared.id } },
    headers: { "Content-Type": "text/csv" },
    body: csv,
    bodySerializer: (text) => text,
  }),
);
const rejects: string = ok(
  await client.GET("/crm/imports/{import_id}/rejects", {
    params: { path: { import_id: prepared.id } },
    parseAs: "text",
  }),
);
const { rows, created: added, refused } = imported;
const exported_bytes = (await file.arrayBuffer()).byteLength;
console.log(JSON.stringify(
  { read, listed, secret, issued, exported, exported_bytes, counts: { rows, added, refused }, rejects },
));
`;

const WITH_SWAGGER_TYPESCRIPT_API = `
import { Api, type LeadResponse } from "./api.js";
import { csv, lead, token, url, webhook } from "../shared.js";

const { crm } = new Api({
  baseUrl: url,
  securityWorker: () => ({ headers: { Authorization: "Bearer " + token } }),
});

const { data: created } = await crm.createLead(lead);
const read: LeadResponse = (await crm.getLead(created._id)).data;
const listed: string[] = (await crm.listLeads({ page_size: 5 })).data.leads.map(({ name }) => name);
const secret: string = (await crm.createEventWebhook(webhook)).data.secret;
const accessToken = await crm.createAccessToken({ name: "CI", permissions: ["records:read"] });
const issued: string = accessToken.data.token;
const file: Blob = (await crm.exportLeads({}, { format: "blob" })).data;
const exported: string = await file.text();
const prepared = await crm.createImport({ type: "leads", file_name: "a.csv" });
const imported = await crm.sendImportData(prepared.data.id, csv);
const rejected: Blob = (await crm.getImportRejects(prepared.data.id, { format: "blob" })).data;
const rejects: string = await rejected.text();
const { rows, created: added, refused } = imported.data;
console.log(JSON.stringify(
  { read, listed, secret, issued, exported, exported_bytes: file.size, counts: { rows, added, refused }, rejects },
));
`;

interface Generator {
  readonly name: string;
  /** A script in a package's \`bin\`, and its arguments for a folder. */
  readonly script: string;
  readonly args: (folder: string) => readonly string[];
  readonly program: string;
}

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript",
    script: join(dirname(fromSdk.resolve("openapi-typescript/package.json")), "bin/cli.js"),
    // Without the option, members with a default are required in requests.
    args: (folder) => [
      description,
      "--output",
      join(folder, "api.d.ts"),
      "--default-non-nullable=false",
    ],
    program: WITH_OPENAPI_FETCH,
  },
  {
    name: "swagger-typescript-api",
    script: join(project, "node_modules/.bin/swagger-typescript-api"),
    args: (folder) => ["generate", "--path", description, "--output", folder, "--name", "api.ts"],
    program: WITH_SWAGGER_TYPESCRIPT_API,
  },
];

for (const { name, script, args, program } of GENERATORS) {
  test(`a client that ${name} generates compiles and works`, async () => {
    const folder = join(project, name);
    mkdirSync(folder);
    await node(script, args(folder));
    writeFileSync(join(folder, "client.ts"), program);
    const built = join(project, "built");
    const strict =
      "--strict --module nodenext --target es2022 --types node --rootDir . --outDir built";
    const sources = [join(name, "client.ts")];
    await node(fromSdk.resolve("typescript/bin/tsc"), [...strict.split(" "), ...sources]);

    const acme = await api.tenant();
    const env = { LEADPORT_URL: api.url, LEADPORT_TOKEN: acme.bearer };
    const result = JSON.parse(await node(join(built, name, "client.js"), [], env));
    assert.equal(result.read.comments, "One\ntwo ü");
    assert.deepEqual(result.listed, ["Ada, Example"]);
    assert.match(result.secret, /^whsec_/);
    const own = await acme.request({
      method: "GET",
      path: "/crm/leads",
      headers: { authorization: `Bearer ${result.issued}` },
    });
    assert.equal(own.status, 200, "the token that was issued opens the list");
    const [, exported, ...others] = parseRfc4180(result.exported);
    assert.deepEqual(others, []);
    assert.ok(exported?.includes("Ada, Example") && exported.includes("One\ntwo ü"));
    assert.equal(result.exported_bytes, Buffer.byteLength(result.exported));
    assert.deepEqual(result.counts, { rows: 2, added: 1, refused: 1 });
    const [headings, row] = parseRfc4180(result.rejects);
    assert.deepEqual(headings, ["reject_line", "reject_reason", "Name", "Email"]);
    assert.deepEqual([row?.[0], row?.[2]], ["3", "x".repeat(501)]);
    const names = (await acme.get("/crm/leads")).body.leads.map(
      (lead: { name: string }) => lead.name,
    );
    assert.deepEqual(names.toSorted(), ["Ada, Example", "Bo Müller"]);
  });
}
