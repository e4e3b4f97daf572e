/**
 * Clients generated from openapi.json by four code generators: they compile under `strict` and work against a running
 * service. They use records and files, and act as a partner whose lead is imported. Generators that are not
 * development dependencies are installed into a temporary folder.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { sharedApi } from "../kit/file-api.ts";
import { install, temporaryProject } from "../kit/npm-install.ts";
import { file } from "../kit/started.ts";
import { parseRfc4180 } from "../kit/rfc4180.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const fromRoot = createRequire(join(ROOT, "package.json"));
const fromSdk = createRequire(join(ROOT, "sdk/package.json"));
const PACKAGES = [
  "openapi-fetch@0.17.0",
  "swagger-typescript-api@13.13.0",
  "@hey-api/openapi-ts@0.95.0",
  "oazapfts@7.5.0",
  // One generator uses the TypeScript compiler's API, which version 7 does not provide.
  "typescript@5.9.3",
];
const COMMAND_TIMEOUT_ms = 540_000;

const api = await sharedApi();
const project = temporaryProject(file);
const description = join(project, "openapi.json");

before(async () => {
  writeFileSync(description, await (await fetch(`${api.url}/openapi.json`)).text());
  writeFileSync(join(project, "shared.ts"), SHARED);
  await install(project, PACKAGES);
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  const nodeTypes = dirname(fromRoot.resolve("@types/node/package.json"));
  symlinkSync(nodeTypes, join(project, "node_modules/@types/node"));
});

/** Runs a script with the current version of Node.js. Returns its output. */
async function node(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: project, env: { ...process.env, ...env }, timeout: COMMAND_TIMEOUT_ms };
  const { stdout } = await run(process.execPath, [script, ...args], options).catch(
    (error: Error & { stdout: string; stderr: string }) =>
      assert.fail([error.message, error.stdout, error.stderr].join("\n")),
  );
  return stdout;
}

/** Constants that the programs of all clients share. */
const SHARED = `
export const { LEADPORT_URL: url = "", LEADPORT_TOKEN: token = "" } = process.env;
export const lead = { name: "Ada, Example", email: "ada@example.com", comments: "One\\ntwo ü" };
export const webhook = {
  events: ["lead.created" as const],
  url: "https://hooks.example.com/leads",
  filter: { lead_status: "open" },
};
export const partner = { name: "Harbour Referrals", allowed_marketing_sources: ["Referral" as const] };
export const pushed = { name: "Ines Falk", email: "ines.falk@example.com" };
export const csv = "Name,Email\\r\\nBo Müller,bo@example.com\\r\\n" + "x".repeat(501) + ",\\r\\n";
`;

const WITH_OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";
import { csv, lead, partner, pushed, token, url, webhook } from "../shared.js";

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

const { partner_id, access_code } = ok(await client.POST("/crm/admin/partners", { body: partner }));
const { access_token } = ok(await client.POST("/crm/partner/token", { body: { partner_id, access_code } }));
const partners = createClient<paths>({ baseUrl: url, headers: { Authorization: "Partner " + access_token } });
const { exists } = ok(await partners.POST("/crm/partner/lookup", { body: { email: pushed.email } }));
const { id: pushed_lead_id } = ok(await partners.POST("/crm/partner/push", { body: pushed }));
const decided = { params: { path: { pushed_lead_id } } };
ok(await client.POST("/crm/admin/pushed_leads/{pushed_lead_id}/accept", decided));
ok(await client.POST("/crm/admin/pushed_leads/{pushed_lead_id}/import", decided));
const seen = ok(await partners.GET("/crm/partner/pushed/{pushed_lead_id}", decided));
const story = { exists, status: seen.status, steps: seen.history.map(({ to }) => to) };
console.log(JSON.stringify(
  { read, listed, secret, issued, exported, exported_bytes, counts: { rows, added, refused }, rejects, story },
));
`;

const WITH_SWAGGER_TYPESCRIPT_API = `
import { Api, type LeadResponse } from "./api.js";
import { csv, lead, partner, pushed, token, url, webhook } from "../shared.js";

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

const { partner_id, access_code } = (await crm.createPartner(partner)).data;
const { access_token } = (await crm.createPartnerToken({ partner_id, access_code })).data;
const { crm: partners } = new Api({
  baseUrl: url,
  securityWorker: () => ({ headers: { Authorization: "Partner " + access_token } }),
});
const { exists } = (await partners.partnerLookup({ email: pushed.email })).data;
const { id } = (await partners.partnerPush(pushed)).data;
await crm.acceptPushedLead(id);
await crm.importPushedLead(id);
const seen = (await partners.getPartnerPushed(id)).data;
const story = { exists, status: seen.status, steps: seen.history.map(({ to }) => to) };
console.log(JSON.stringify(
  { read, listed, secret, issued, exported, exported_bytes: file.size, counts: { rows, added, refused }, rejects, story },
));
`;

const WITH_HEY_API = `
import { createClient, createConfig } from "./client/index.js";
import * as api from "./sdk.gen.js";
import type { LeadResponse } from "./types.gen.js";
import { csv, lead, partner, pushed, token, url, webhook } from "../shared.js";

const clientOf = (Authorization: string) =>
  createClient(createConfig({ baseUrl: url, headers: { Authorization } }));
const client = clientOf("Bearer " + token);

function ok<T>({ data, error }: { data?: T; error?: unknown }): NonNullable<T> {
  if (data === undefined || data === null) throw new Error(JSON.stringify(error));
  return data;
}

const created: LeadResponse = ok(await api.createLead({ client, body: lead }));
const read = ok(await api.getLead({ client, path: { lead_id: created._id } }));
const listed: string[] = ok(await api.listLeads({ client, query: { page_size: 5 } })).leads.map(({ name }) => name);
const { secret } = ok(await api.createEventWebhook({ client, body: webhook }));
const body = { name: "CI", permissions: ["records:read" as const] };
const { token: issued } = ok(await api.createAccessToken({ client, body }));
const file = ok(await api.exportLeads({ client, parseAs: "blob" })) as Blob;
const exported: string = await file.text();
const prepared = ok(await api.createImport({ client, body: { type: "leads", file_name: "a.csv" } }));
const path = { import_id: prepared.id };
const imported = ok(await api.sendImportData({ client, path, body: csv }));
const rejects = await (ok(await api.getImportRejects({ client, path, parseAs: "blob" })) as Blob).text();
const { rows, created: added, refused } = imported;

const { partner_id, access_code } = ok(await api.createPartner({ client, body: partner }));
const { access_token } = ok(await api.createPartnerToken({ client, body: { partner_id, access_code } }));
const partners = clientOf("Partner " + access_token);
const { exists } = ok(await api.partnerLookup({ client: partners, body: { email: pushed.email } }));
const { id: pushed_lead_id } = ok(await api.partnerPush({ client: partners, body: pushed }));
ok(await api.acceptPushedLead({ client, path: { pushed_lead_id } }));
ok(await api.importPushedLead({ client, path: { pushed_lead_id } }));
const seen = ok(await api.getPartnerPushed({ client: partners, path: { pushed_lead_id } }));
const story = { exists, status: seen.status, steps: seen.history.map(({ to }) => to) };
console.log(JSON.stringify(
  { read, listed, secret, issued, exported, exported_bytes: file.size, counts: { rows, added, refused }, rejects, story },
));
`;

const WITH_OAZAPFTS = `
import * as api from "./api.js";
import { csv, lead, partner, pushed, token, url, webhook } from "../shared.js";

api.defaults.baseUrl = url;
api.defaults.headers = { Authorization: "Bearer " + token };

function ok<T>(response: { status: 200; data: T } | { status: number; data?: unknown }): T {
  if (response.status !== 200) throw new Error(JSON.stringify(response));
  return response.data as T;
}

const created: api.LeadResponse = ok(await api.createLead(lead));
const read: api.LeadResponse = ok(await api.getLead(created._id));
const list: api.LeadResponseList = ok(await api.listLeads({ pageSize: 5 }));
const listed: string[] = list.leads.map(({ name }) => name);
const { secret }: api.EventWebhookCreated = ok(await api.createEventWebhook(webhook));
const { token: issued }: api.AccessTokenCreated = ok(
  await api.createAccessToken({ name: "CI", permissions: ["records:read"] }),
);
// Files are typed as Blob, and are texts where failures are JSON.
const exported: unknown = ok(await api.exportLeads());
const prepared: api.ImportResponse = ok(await api.createImport({ "type": "leads", file_name: "a.csv" }));
const imported: api.ImportResponse = ok(
  await api.sendImportData(prepared.id, csv, { headers: { "Content-Type": "text/csv" } }),
);
const rejects: unknown = ok(await api.getImportRejects(prepared.id));
const { rows, created: added, refused } = imported;

const { partner_id, access_code }: api.PartnerWithAccessCode = ok(await api.createPartner(partner));
const { access_token }: api.PartnerToken = ok(await api.createPartnerToken({ partner_id, access_code }));
const asPartner = { headers: { Authorization: "Partner " + access_token } };
const { exists }: { exists: boolean } = ok(await api.partnerLookup({ email: pushed.email }, {}, asPartner));
const { id }: api.PushedLead = ok(await api.partnerPush(pushed, {}, asPartner));
ok(await api.acceptPushedLead(id));
ok(await api.importPushedLead(id));
const seen: api.PushedLead = ok(await api.getPartnerPushed(id, {}, asPartner));
const story = { exists, status: seen.status, steps: seen.history.map(({ to }) => to) };
console.log(JSON.stringify(
  { read, listed, secret, issued, exported, exported_bytes: Buffer.byteLength(String(exported)), counts: { rows, added, refused }, rejects, story },
));
`;

interface Generator {
  readonly name: string;
  /** The generator's command, and its arguments for an output folder. */
  readonly script: string;
  readonly args: (folder: string) => readonly string[];
  readonly program: string;
}

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript",
    script: join(dirname(fromSdk.resolve("openapi-typescript/package.json")), "bin/cli.js"),
    // By default, this generator makes members with a default value required in requests.
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
  {
    name: "hey-api",
    script: join(project, "node_modules/.bin/openapi-ts"),
    args: (folder) => {
      const config = join(folder, "openapi-ts.config.mjs");
      const output = { path: folder, module: { extension: ".js" }, clean: false };
      const plugins = ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"];
      const options = { input: description, output, plugins };
      writeFileSync(config, `export default ${JSON.stringify(options)};`);
      return ["-f", config];
    },
    program: WITH_HEY_API,
  },
  {
    name: "oazapfts",
    script: join(project, "node_modules/.bin/oazapfts"),
    args: (folder) => [description, join(folder, "api.ts")],
    program: WITH_OAZAPFTS,
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
    const steps = ["pending", "accepted", "imported"];
    assert.deepEqual(result.story, { exists: false, status: "imported", steps });
    const names = (await acme.get("/crm/leads")).body.leads.map(
      (lead: { name: string }) => lead.name,
    );
    assert.deepEqual(names.toSorted(), ["Ada, Example", "Bo Müller", "Ines Falk"]);
  });
}
