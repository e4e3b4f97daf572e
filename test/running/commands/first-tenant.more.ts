/** The first tenant: stored by id, whatever its name, with an owner token that is written once. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { testDatabase } from "../../kit/database.ts";
import {
  folder,
  installed,
  kill,
  leadport,
  printed,
  settings,
  type Settings,
  startLeadport,
  tokenOf,
} from "../leadport.ts";

const KEY = Buffer.alloc(32, 5).toString("base64");
const LINK = /Console {8}\S+\/link#(\w{40}) /;

type Service = Awaited<ReturnType<typeof startLeadport>>;

async function stop(service: Service): Promise<void> {
  kill(service.pid, "SIGTERM");
  assert.equal((await service.ended).code, 0);
}

async function call(
  { base }: Service,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Record<string, unknown>;
}

const rename = (service: Service, token: string, name: string) =>
  call(service, token, "PATCH", "/crm/admin/tenant", { name });

async function leadNames(service: Service, token: string): Promise<string[]> {
  const { leads } = await call(service, token, "GET", "/crm/leads");
  return (leads as readonly { readonly name: string }[]).map(({ name }) => name);
}

async function linkedTenant({ base, out }: Service): Promise<string> {
  const [, token] = LINK.exec(out()) ?? [];
  const response = await fetch(`${base}/auth/links/look`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  return ((await response.json()) as { tenant_name: string }).tenant_name;
}

/** Returns a CSV file with one lead. */
function leadFile(t: TestContext, name: string): string {
  const path = join(folder(t), "leads.csv");
  writeFileSync(path, `name,email\n${name},${name.toLowerCase()}@example.com\n`);
  return path;
}

const list = async (env: Settings): Promise<string[][]> => {
  const { code, out, err } = await printed(["tenant", "list"], env);
  assert.deepEqual([code, err], [0, ""]);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
};

const LEFT =
  /Owner token +\S*owner-token is not a valid token of the first tenant and was left unchanged\. Create a token with\n +leadport token create --tenant default/;
const MISSING =
  /Owner token +not on this machine\. Create a token with\n +leadport token create --tenant default/;

test("after a rename and a restart it is the same tenant with the same token file", async (t) => {
  const env = await installed(t);
  const first = await startLeadport(t, { env });
  const token = tokenOf(env.DATA_DIR);
  await call(first, token, "POST", "/crm/leads", { name: "Ada" });
  await rename(first, token, "Nordlys AS");
  const before = readFileSync(join(env.DATA_DIR, "owner-token"));
  await stop(first);

  const again = await startLeadport(t, { env });
  assert.deepEqual(readFileSync(join(env.DATA_DIR, "owner-token")), before);
  assert.deepEqual(await leadNames(again, token), ["Ada"]);
  assert.equal(await linkedTenant(again), "Nordlys AS");
  assert.deepEqual(
    (await list(env)).map((cells) => [cells[0], cells.at(-1)]),
    [
      ["HANDLE", "NAME"],
      ["default", "Nordlys AS"],
    ],
  );
});

test("a tenant that takes the name of the first one does not receive its import", async (t) => {
  const env = await installed(t);
  const service = await startLeadport(t, { env });
  const token = tokenOf(env.DATA_DIR);
  const made = await printed(["tenant", "create", "Mallory"], env);
  const mallory = made.out.trim();
  await rename(service, token, "Nordlys AS");
  await rename(service, mallory, "default");

  const imported = await printed(["import", "leads", leadFile(t, "Ada")], env);
  assert.equal(imported.code, 0, imported.err);
  assert.deepEqual(await leadNames(service, token), ["Ada"]);
  assert.deepEqual(await leadNames(service, mallory), []);
  const exported = await leadport(t, ["export", "leads"], { env });
  assert.match(exported.out, /Ada/);

  await stop(service);
  const again = await startLeadport(t, { env });
  assert.equal(await linkedTenant(again), "Nordlys AS");
  assert.deepEqual(await leadNames(again, token), ["Ada"]);
});

test("on your own PostgreSQL, two first starts at once create one tenant and one token", async (t) => {
  const { url, sql } = await testDatabase(t);
  const homes = [settings(t), settings(t)];
  const services = await Promise.all(
    homes.map((home) => startLeadport(t, { env: { ...home, DATABASE_URL: url, MASTER_KEY: KEY } })),
  );
  assert.deepEqual(
    [...(await sql`select name, handle from tenants`)],
    [{ name: "default", handle: "default" }],
  );
  assert.equal((await sql`select from access_tokens`).length, 1);
  const tokens = homes.map(({ DATA_DIR }) => tokenOf(DATA_DIR));
  assert.deepEqual(tokens.filter((token) => token !== "").length, 1);
  for (const [at, service] of services.entries()) {
    assert.equal(MISSING.test(service.out()), tokens[at] === "", service.out());
    assert.ok(!existsSync(join(homes[at]?.DATA_DIR ?? "", "owner-token.owed")));
    assert.deepEqual(await leadNames(service, tokens.join("")), []);
  }
});

test("an owner-token file is written if it is due and missing, and never otherwise", async (t) => {
  const { url, sql } = await testDatabase(t);
  const home = settings(t);
  const env = { ...home, DATABASE_URL: url, MASTER_KEY: KEY };
  const file = join(home.DATA_DIR, "owner-token");
  const tokens = async () => (await sql`select from access_tokens`).length;
  const restart = async (): Promise<string> => {
    const service = await startLeadport(t, { env });
    await stop(service);
    assert.ok(!existsSync(`${file}.owed`));
    return service.out();
  };
  // The token file belongs to another installation, because the data folder was used with another
  // database.
  mkdirSync(home.DATA_DIR);
  writeFileSync(file, "lp_of-another-installation\n", { mode: 0o600 });
  assert.match(await restart(), LEFT);
  assert.equal(tokenOf(home.DATA_DIR), "lp_of-another-installation");
  assert.deepEqual([await tokens(), (await sql`select from tenants`).length], [0, 1]);

  writeFileSync(`${file}.owed`, "");
  assert.match(await restart(), LEFT);
  assert.equal(tokenOf(home.DATA_DIR), "lp_of-another-installation");

  // If the operator deletes the token file, it is not written again.
  rmSync(file);
  assert.match(await restart(), MISSING);
  assert.deepEqual([existsSync(file), await tokens()], [false, 0]);

  // Simulate a start that was killed before it wrote the file.
  writeFileSync(`${file}.owed`, "");
  assert.match(await restart(), /Owner token +\S*owner-token\n/);
  assert.deepEqual([tokenOf(home.DATA_DIR).slice(0, 3), await tokens()], ["lp_", 1]);

  // Simulate a start that was killed after it wrote the file, but before it removed the marker.
  const written = readFileSync(file);
  writeFileSync(`${file}.owed`, "");
  assert.match(await restart(), /Owner token +\S*owner-token\n/);
  assert.deepEqual(readFileSync(file), written);

  // Revoke the token.
  await sql`delete from access_tokens`;
  assert.match(await restart(), LEFT);
  assert.deepEqual(readFileSync(file), written);
});
