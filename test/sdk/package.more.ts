/** The client package that the service provides: npm installs it, plain JavaScript imports it, and its examples run. */

import { temporaryFolder } from "../kit/started.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERSION } from "../../sdk/src/index.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import { casesOf } from "../kit/long.ts";
import { sampleOf } from "../reference/guide-samples.ts";
import { ROOT } from "../../tools/sources.ts";
import { COMPILERS, installed, run, writeIn } from "./installed.ts";

const SDK = join(ROOT, "sdk");
const PACKER = new URL("../../console/pack-client.mjs", import.meta.url).href;
const api = await fileApi({ hasPages: true });

interface Packer {
  readonly packClient: (places: {
    readonly source: string;
    readonly folder: string;
  }) => Promise<string>;
}

/**
 * Returns the install commands shown in the documentation, with the URL of this test's service. Asserts that every
 * page shows the same commands.
 */
function installCommands(): string {
  const [command = "", ...others] = ["sdk/README.md", "README.md", "docs/partner-exchange.md"].map(
    (page) => (sampleOf(page, "npm install http").match(/^npm .*/gm) ?? []).join("\n"),
  );
  for (const other of others) assert.equal(other, command);
  return command.replace("http://127.0.0.1:8080", api.url);
}

/** Returns environment variables for a program: a new tenant's token and a partner's credentials. */
async function variables(): Promise<Readonly<Record<string, string>>> {
  const client = await api.tenant();
  const { partner_id, access_code } = await makePartner(client);
  return {
    LEADPORT_URL: api.url,
    LEADPORT_TOKEN: client.bearer,
    LEADPORT_PARTNER_ID: partner_id,
    LEADPORT_ACCESS_CODE: access_code,
  };
}

test("sdk/src/api.ts is what `npm run sdk:types` prints of openapi.json", async () => {
  await run("npm", ["run", "-s", "sdk:types", "--", "--check"], { cwd: ROOT });
});

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

test("the packed client is small, and the same bytes each time", async (t) => {
  const served = Buffer.from(
    await (await fetch(`${api.url}/sdk/leadport-client-${VERSION}.tgz`)).arrayBuffer(),
  );
  const folder = temporaryFolder(t);
  const { packClient } = (await import(PACKER)) as Packer;
  const name = await packClient({ source: SDK, folder });
  assert.equal(hashOf(readFileSync(join(folder, name))), hashOf(served));
  assert.ok(served.length < 100_000, `${served.length} bytes`);
});

test("npm installs the client from the service, without a registry and without other packages", async (t) => {
  const { folder, client } = await installed(t, installCommands());
  const packages = readdirSync(join(folder, "node_modules")).filter(
    (name) => !name.startsWith("."),
  );
  assert.deepEqual(packages.toSorted(), ["@leadport", "@types"]);
  const files = readdirSync(client, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(client.length + 1));
  const kinds = new Set(files.map((path) => path.replace(/^dist\/([a-z]+\/)?[a-z-]+/, "dist/*")));
  const expected = ["LICENSE", "README.md", "dist/*.d.ts", "dist/*.js", "package.json"];
  assert.deepEqual([...kinds].toSorted(), expected);
  // Browsers and bundlers can use the package, because it contains nothing specific to Node.js.
  const scripts = files.filter((path) => path.endsWith(".js"));
  for (const path of scripts) {
    const text = readFileSync(join(client, path), "utf8");
    for (const [, from = ""] of text.matchAll(/^(?:import|export) .*from "([^"]+)"/gm)) {
      assert.match(from, /^\.{1,2}\/[a-z/-]+\.js$/, path);
    }
  }
});

const STORY = `
import { createClient, createPartnerClient, isConflict } from "@leadport/client";

const leadport = createClient();
const { partner_id, access_code } = await leadport.partners.create({
  name: "Harbour Referrals",
  allowed_marketing_sources: ["Referral"],
  commission_rate: 7.5,
});
const partner = createPartnerClient({ partner_id, access_code });
const person = { name: "Ines Falk", email: "ines.falk@example.com" };
const { exists } = await partner.lookup({ email: person.email });
const pushed = await partner.push(person);
const again: unknown = await partner.push(person).catch((error: unknown) => error);
await leadport.pushedLeads.accept(pushed.id);
const { imported_lead_id } = await leadport.pushedLeads.import(pushed.id);
const deal = { name: "Two berths", value_of_sale: 1000 };
const { opportunity_id } = await leadport.leads.convert(imported_lead_id ?? "", { deal });
await leadport.deals.update(opportunity_id ?? "", { stage: "closed_won" });
const [mine] = await partner.pushed.list({ fields: ["status"] }).autoPagingToArray({ limit: 9 });
const status: "pending" | "accepted" | "imported" | "rejected" | "expired" | undefined = mine?.status;
// @ts-expect-error -- it was not requested
const name: unknown = mine?.name;
const { estimated_earnings } = await partner.analytics();
console.log(JSON.stringify([exists, isConflict(again), status, name ?? null, estimated_earnings]));
`;

test("a partner's program with the installed client compiles, and runs the complete story", async (t) => {
  const project = await installed(t, installCommands());
  writeIn(project, "story.ts", STORY);
  for (const compiler of casesOf(COMPILERS, 1)) await project.compile(compiler, "story.ts");
  const printed = await project.print("story.ts", await variables());
  assert.deepEqual(JSON.parse(printed), [false, true, "imported", null, 75]);
});

test("the installed client is imported by plain JavaScript, and its examples compile and run", async (t) => {
  const project = await installed(t, installCommands());
  const plain = `
    import { createClient } from "@leadport/client";
    const { LEADPORT_URL: url, LEADPORT_TOKEN: token } = process.env;
    const made = await createClient({ url, token }).post("/crm/leads", { body: { name: "Plain" } });
    console.log(made.version);`;
  writeIn(project, "plain.mjs", plain);
  assert.equal((await project.print("plain.mjs", await variables())).trim(), "1");

  writeIn(project, "readme.ts", examplesOf(readFileSync(join(SDK, "README.md"), "utf8")));
  const compiled = Promise.all(COMPILERS.map((compiler) => project.compile(compiler, "readme.ts")));
  const lines = [
    "Mara Lind 1",
    "contacted Captain true 2",
    "body.birth_month",
    "[ 'called' ]",
    "lead",
    "Ines Falk pending",
    "→ GET",
    "← GET /crm/admin/tenant 200",
  ];
  // An open transaction in another test delays the change feed of the whole server.
  await eventually(
    async () => project.print("readme.ts", await variables()),
    (stdout) => lines.every((line) => stdout.includes(line)),
    180_000,
  );
  await compiled;
});

test("the program of docs/partner-exchange.md submits a person once", async (t) => {
  const project = await installed(t, installCommands());
  const program = sampleOf("docs/partner-exchange.md", "import { createPartnerClient");
  writeIn(project, "partner.ts", program);
  for (const compiler of casesOf(COMPILERS, 1)) await project.compile(compiler, "partner.ts");
  const env = await variables();
  for (const _ of ["first", "again"]) {
    assert.equal(await project.print("partner.ts", env), "Ines Falk pending\n");
  }
});

/** Combines all examples on a page into one module. */
function examplesOf(page: string): string {
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  assert.ok(blocks.length > 8);
  const names = blocks.flatMap((code) =>
    [...code.matchAll(/^import \{ (.*) \} from "@leadport\/client";$/gm)].flatMap(([, list = ""]) =>
      list.split(", "),
    ),
  );
  const imports = `import { ${[...new Set(names)].join(", ")} } from "@leadport/client";`;
  return [imports, ...blocks.map((code) => code.replaceAll(/^import .*$/gm, ""))].join("\n");
}
