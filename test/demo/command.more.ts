/**
 * `leadport demo` with and without a running service: loading the data twice, replacing it with `--again`, a killed
 * command, and removing the data.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { testDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { sampleOf } from "../reference/guide-samples.ts";
import {
  installed,
  kill,
  printed,
  settings,
  spawnLeadport,
  startLeadport,
} from "../running/leadport.ts";

const SMALL = ["demo", "--leads", "60"];
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/link#\w{40}\n$/;
const READY =
  /The business "Demo Brightfield Solar" \(demo-brightfield-solar\) is ready\. Sign in as its owner with this link:\n$/;
const THERE =
  'Demo data already exists: "Demo Brightfield Solar". ' +
  "Run `leadport demo --again` to create it again, or `leadport demo --remove` to remove it.\n";

async function signIn(base: string, link: string, body: object): Promise<Response> {
  const { hash } = new URL(link);
  return fetch(`${base}/auth/links/use`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: hash.slice(1), password: "correct horse battery", ...body }),
  });
}

test("demo data is loaded without a service, replaced while one runs, and removed", async (t) => {
  const env = { ...(await installed(t)), PORT: "18099" };
  const made = await printed(SMALL, env);
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, READY);
  assert.match(made.out, LINK);
  const twice = await printed(SMALL, env);
  assert.deepEqual([twice.code, twice.out, twice.err], [1, "", THERE]);

  const { base } = await startLeadport(t, { env: { ...env, PORT: "0" } });
  const named = { name: "Ada Example", email: "ada@example.com" };
  assert.equal((await signIn(base, made.out.trim(), named)).status, 200);
  const email = ["--email", "grace@example.com", "--name", "Grace Example"];
  const again = await printed([...SMALL, "--again", "--seed", "5", ...email], env);
  assert.equal(again.code, 0, again.err);
  // The command prints the address of the running service, not the address in the command's own settings.
  assert.equal(new URL(again.out.trim()).origin, base);
  const invited = await signIn(base, again.out.trim(), {});
  const session = (await invited.json()) as Record<string, Record<string, unknown>>;
  assert.deepEqual(
    [session["person"]?.["name"], session["person"]?.["role"], session["tenant"]?.["is_demo"]],
    ["Grace Example", "owner", true],
  );
  const listed = await printed(["tenant", "list"], env);
  // The demo tenant is listed first, because its data says that it was created a year ago.
  assert.match(listed.out, /^demo-brightfield-solar .*\ndefault /m);

  const removed = await printed(["demo", "--remove"], env);
  assert.equal(removed.code, 0, removed.err);
  assert.match(removed.out, /^Removed the demo data \([\d,]+ rows\)\.\n$/);
  const none = await printed(["demo", "--remove"], env);
  assert.deepEqual([none.code, none.err], [1, "There is no demo data.\n"]);
});

test("the commands of docs/demo-data.md run", async (t) => {
  const env = await installed(t);
  const lines = sampleOf("docs/demo-data.md", "npm run -s leadport -- demo").trim().split("\n");
  assert.ok(lines.length > 3);
  for (const line of lines) {
    const [, shown = ""] = /^npm run -s leadport -- ([^#]+)/.exec(line) ?? [];
    const args = [...shown.matchAll(/'([^']+)'|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? "",
    );
    const isQuick = args.includes("--leads") || args.includes("--remove");
    // The first two commands are alternatives. Because this test runs both, the second one needs `--again`.
    const again = args.includes("--email") ? ["--again"] : [];
    const { code, err } = await printed(
      [...args, ...again, ...(isQuick ? [] : ["--leads", "60"])],
      env,
    );
    assert.equal(code, 0, `${line}: ${err}`);
  }
});

test("with a separate database, the next run reports one that was killed", async (t) => {
  const { url, sql } = await testDatabase(t);
  const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY };
  const migrated = await printed(["migrate"], env);
  assert.equal(migrated.code, 0, migrated.err);
  const running = spawnLeadport(t, ["demo"], { env });
  await eventually(
    () => sql`select done from demo_fills where done > 0`,
    ({ count }) => count === 1,
    180_000,
  );
  const beside = await printed(["demo"], env);
  const busy = "Another process is creating or removing demo data. Wait until it has finished.\n";
  assert.deepEqual([beside.code, beside.err], [1, busy]);
  kill(running.pid, "SIGKILL");
  await running.ended;
  const next = await eventually(
    () => printed(["demo"], env),
    ({ err }) => err !== busy,
  );
  assert.equal(next.code, 1);
  assert.match(
    next.err,
    /^The creation of demo data was interrupted after \d+ of \d+ steps\. Run `leadport demo --again` to create it again, or `leadport demo --remove` to remove it\.\n$/,
  );
  assert.equal((await printed(["demo", "--remove"], env)).code, 0);
  const made = await printed(SMALL, env);
  assert.deepEqual([made.code, LINK.test(made.out)], [0, true], made.err);
});

for (const [args, said] of [
  [["--leads", "3"], '--leads must be a whole number from 50 to 20000, not "3"'],
  [["--leads", "many"], '--leads must be a whole number from 50 to 20000, not "many"'],
  [["--seed", "-1"], "--seed"],
  [["--email", "ada"], "--email: this is not a valid email address"],
  [["--name", "Ada"], "--name requires --email"],
  [["--again", "--remove"], "--again and --remove cannot be combined"],
  [["twice"], '"twice" is not expected'],
] as const) {
  test(`leadport demo ${args.join(" ")} is wrong use`, async (t) => {
    const { code, out, err } = await printed(["demo", ...args], settings(t));
    assert.deepEqual([code, out], [2, ""]);
    assert.ok(err.includes(said), err);
  });
}

test("the help shows examples", async () => {
  const { code, out } = await printed(["demo", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /Examples:\n {2}leadport demo\n/);
  assert.match(out, /--remove +Remove the demo data/);
});
