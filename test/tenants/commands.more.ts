/** Commands move a tenant between two installations: docs/moving-a-tenant.md#move-a-tenant. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { eventually } from "../kit/eventually.ts";
import { folder, installed, printed, settings, startLeadport } from "../running/leadport.ts";

test("a tenant is suspended, exported, imported elsewhere and deleted by commands", async (t) => {
  const source = await installed(t);
  const target = settings(t);
  // The source runs two processes, and a suspension must reach both.
  const from = await startLeadport(t, { env: { ...source, PROCESSES: "2" } });
  const run = async (env: typeof source, ...args: string[]) => {
    const ended = await printed(args, env);
    assert.equal(ended.code, 0, ended.err);
    return ended;
  };
  const fails = async (env: typeof source, ...args: string[]) => {
    const ended = await printed(args, env);
    assert.equal(ended.code, 1, ended.out);
    return ended.err;
  };
  const { out: token } = await run(source, "tenant", "create", "Acme");
  const call = (base: string, path: string, body?: object) =>
    fetch(base + path, {
      headers: {
        authorization: `Bearer ${token.trim()}`,
        "content-type": "application/json",
        connection: "close",
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  const made = await call(from.base, "/crm/leads", { name: "Ada", ssn: "123-45-6789" });
  const { _id } = (await made.json()) as { _id: string };
  const file = join(folder(t), "acme.zip");
  const keyFile = join(folder(t), "acme.key");

  /**
   * Waits until all processes respond with a status. No request that is sent more than two seconds from now may get the
   * status from before: on a busy machine, a response can take longer than that.
   */
  const takesEffect = async (path: string, before: number, wanted: number): Promise<void> => {
    const start_ms = performance.now();
    await eventually(async () => {
      const sent_ms = performance.now();
      const all = await Promise.all(Array.from({ length: 20 }, () => call(from.base, path)));
      const statuses = all.map(({ status }) => status);
      assert.ok(sent_ms - start_ms < 2000 || !statuses.includes(before), statuses.join());
      return statuses.every((status) => status === wanted);
    });
  };

  const list = async (env: typeof source) => {
    const { out } = await run(env, "tenant", "list", "--json");
    const all = JSON.parse(out) as {
      handle: string;
      state: string;
      records: number;
      bytes: number;
      last_used_date: string | null;
    }[];
    return all.filter(({ handle }) => handle === "acme");
  };

  await t.test("a suspension reaches all processes within a second", async () => {
    await run(source, "tenant", "suspend", "acme");
    await takesEffect("/crm/leads", 200, 403);
    const [listed] = await list(source);
    assert.deepEqual([listed?.state, listed?.records], ["suspended", 1]);
    assert.ok((listed?.bytes ?? 0) > 0 && listed?.last_used_date !== null);
  });

  await t.test("the file is closed to others, complete or absent, and never replaced", async () => {
    await run(source, "tenant", "export", "acme", file, "--key-file", keyFile);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    assert.match(readFileSync(keyFile, "utf8"), /^lptk_[\w-]{43}\s*$/);
    assert.equal(existsSync(`${file}.partial`), false);
    assert.match(
      await fails(source, "tenant", "export", "acme", file),
      /already exists\. Choose another file name/,
    );
    assert.match(
      await fails(source, "tenant", "export", "acme", "/nowhere/x.zip"),
      /cannot be created \(ENOENT\)/,
    );
    const other = join(folder(t), "other.zip");
    for (const [key, code, message] of [
      ["/nowhere/x.key", 1, /^\/nowhere\/x\.key cannot be created \(ENOENT\)/],
      [other, 2, /^--key-file must name another file than <file>/],
      [`${other}.partial`, 2, /^--key-file must name another file than <file>/],
    ] as const) {
      const args = ["tenant", "export", "acme", other, "--key-file", key];
      const ended = await printed(args, source);
      assert.equal(ended.code, code);
      assert.match(ended.err, message);
      assert.deepEqual(readdirSync(dirname(other)), []);
    }
    const unused = join(folder(t), "unused.key");
    await fails(source, "tenant", "export", "acme", "/nowhere/x.zip", "--key-file", unused);
    assert.equal(existsSync(unused), false);
  });

  await t.test("the tenant works in the other installation, after a wrong key", async () => {
    const to = await startLeadport(t, { env: target });
    const scratch = folder(t);
    const wrong = join(folder(t), "wrong.key");
    writeFileSync(wrong, `lptk_${"A".repeat(43)}`);
    const importing = ["tenant", "import", file, "--scratch", scratch, "--key-file"];
    assert.match(await fails(target, ...importing, wrong), /transfer key does not belong/);
    writeFileSync(wrong, "secret");
    assert.match(await fails(target, ...importing, wrong), /not a transfer key/);
    const full = await fails({ ...target, DISK_RESERVE: "8000TB" }, ...importing, keyFile);
    assert.match(full, /^The database's disk is full, so nothing can be written/m);
    assert.doesNotMatch(full, /\n {4}at /);
    await run(target, ...importing, keyFile);
    assert.deepEqual(readdirSync(scratch), []);
    assert.match(await fails(target, ...importing, keyFile), /already in this installation/);
    const read = await call(to.base, `/crm/leads/${_id}?reveal=ssn`);
    assert.equal(((await read.json()) as { ssn: string }).ssn, "123-45-6789");
    assert.equal((await list(target))[0]?.state, "active");
  });

  await t.test("a tenant is deleted after its handle was typed, and can be restored", async () => {
    assert.match(await fails(source, "tenant", "delete", "acme"), /add --confirm acme/);
    assert.match(
      await fails(source, "tenant", "delete", "acme", "--confirm", "acm"),
      /Nothing was changed/,
    );
    await run(source, "tenant", "delete", "acme", "--confirm", "acme");
    assert.equal((await list(source))[0]?.state, "deleted");
    await run(source, "tenant", "restore", "acme");
    assert.equal((await list(source))[0]?.state, "suspended");
    await run(source, "tenant", "resume", "acme");
    await takesEffect(`/crm/leads/${_id}`, 403, 200);
    assert.match(
      await fails(source, "tenant", "delete", "acme", "--confirm", "acme", "--now"),
      /Only a suspended or deleted tenant/,
    );
    await run(source, "tenant", "suspend", "acme");
    await run(source, "tenant", "delete", "acme", "--confirm", "acme", "--now");
    assert.deepEqual(await list(source), []);
    assert.match(
      await fails(source, "tenant", "delete", "default", "--confirm", "default"),
      /first tenant of an installation cannot be deleted/,
    );
  });
});
