/**
 * The service with its database on a small disk that actually fills up: a tmpfs, which only root
 * may mount. Without root, only `disk-and-drain.more.ts` tests the disk reserve.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../../kit/eventually.ts";
import { folder, isRoot, leadport, settings, startLeadport, tokenOf } from "../leadport.ts";
import { temporaryFolder, atEnd } from "../../kit/started.ts";

const MB = 1024 ** 2;
const DISK_MB = 640;

const canMount = isRoot && process.platform === "linux";
const skip = canMount ? false : "only root may mount a tmpfs";

/** Returns the service on a small disk, and a file that takes up its space. */
async function startOnSmallDisk(t: TestContext, reserve: string) {
  const path = temporaryFolder(t);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=711`, "tmpfs", path]);
  atEnd(t, () => execFileSync("umount", ["--lazy", path]));
  const place = { DATA_DIR: join(path, "data"), DISK_RESERVE: reserve };
  const env = { ...settings(t), ...place, LOG_LEVEL: "info" };
  const service = await startLeadport(t, { env });
  const filler = join(path, "filler");
  return {
    ...service,
    env,
    /** Fills the disk until only `left_bytes` bytes are free. */
    fill: (left_bytes: number) => {
      for (let attempt = 1; ; attempt += 1) {
        const { bavail, bsize } = statfsSync(path);
        try {
          execFileSync("fallocate", ["-l", String(bavail * bsize - left_bytes), filler], {
            stdio: "ignore",
          });
          return;
        } catch (error) {
          // PostgreSQL may have taken space in the meantime.
          rmSync(filler, { force: true });
          if (attempt === 20) throw error;
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
  };
}

const clientOf = (base: string, bearer: string) => {
  const headers = { authorization: `Bearer ${bearer}` };
  const asJson = { ...headers, "content-type": "application/json" };
  return {
    get: (path: string) => fetch(base + path, { headers }),
    post: (path: string, body: object) =>
      fetch(base + path, { method: "POST", headers: asJson, body: JSON.stringify(body) }),
    put: (path: string, body: string) =>
      fetch(base + path, {
        method: "PUT",
        headers: { ...headers, "content-type": "text/csv" },
        body,
      }),
  };
};

const json = async (answer: Response) => (await answer.json()) as Record<string, unknown>;

const countOf = (text: string, part: string): number => text.split(part).length - 1;

const HEADER = "External id,Name,Comments\n";
/**
 * With comments of this length, a few thousand rows are longer than the part of a file that an import reads to detect
 * its encoding.
 */
const COMMENTS = "x".repeat(500);
const rowsFrom = (first: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `row-${first + n},Lead ${first + n},${COMMENTS}\n`).join(
    "",
  );

test(
  "below DISK_RESERVE writes and imports return 503, and an import resumes when there is space",
  { skip },
  async (t) => {
    const disk = await startOnSmallDisk(t, "128MB");
    const { base, child, env, err } = disk;
    const { get, post, put } = clientOf(base, tokenOf(env.DATA_DIR));
    assert.equal((await post("/crm/leads", { name: "Before" })).status, 200);

    const {
      import_id,
      _id = import_id,
      id = _id,
    } = await json(await post("/crm/imports", { type: "leads", file_name: "leads.csv" }));
    const path = `/crm/imports/${String(id)}`;
    const upload = request(`${base}${path}/data`, {
      method: "PUT",
      headers: { authorization: `Bearer ${tokenOf(env.DATA_DIR)}`, "content-type": "text/csv" },
    });
    upload.on("error", () => undefined);
    atEnd(t, () => upload.destroy());
    const interrupted = once(upload, "response") as Promise<[IncomingMessage]>;
    upload.write(HEADER + rowsFrom(0, 10_000));
    const reached = async () => (await json(await get(path)))["rows"] as number;
    await eventually(reached, (rows) => rows >= 2000);

    disk.fill(64 * MB);
    const refused = await eventually(
      () => post("/crm/leads", { name: "During" }),
      ({ status }) => status === 503,
    );
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.match(String((await json(refused))["detail"]), /disk is full/);
    upload.write(rowsFrom(10_000, 10_000));
    const [{ statusCode }] = await interrupted;
    assert.equal(statusCode, 503);
    upload.destroy();
    assert.equal((await put(`${path}/data`, HEADER)).status, 503);
    assert.equal((await get("/crm/leads")).status, 200);
    const metrics = () => get("/metrics").then((answer) => answer.text());
    await eventually(metrics, (text) => /^leadport_database_disk_full 1$/m.test(text));
    const [, free] = /^leadport_database_disk_free_bytes (\d+)$/m.exec(await metrics()) ?? [];
    assert.ok(Number(free) < 128 * MB && Number(free) > 0, free);

    const file = join(folder(t), "command.csv");
    writeFileSync(file, HEADER + rowsFrom(90_000, 10));
    const command = await leadport(t, ["import", "leads", file], { env });
    assert.equal(command.code, 1);
    assert.match(command.err, /disk is full.*same command again/);

    disk.free();
    await eventually(
      () => post("/crm/leads", { name: "After" }),
      ({ status }) => status === 200,
    );
    const whole = HEADER + rowsFrom(0, 20_000);
    const done = await json(await put(`${path}/data`, whole));
    assert.deepEqual([done["rows"], done["created"], done["refused"]], [20_000, 20_000, 0]);
    const again = await leadport(t, ["import", "leads", file], { env });
    assert.equal(again.code, 0, again.err);
    const leads = (await (await get("/crm/leads/export?format=ndjson")).text()).trim().split("\n");
    assert.equal(leads.filter((row) => row.includes('"row-')).length, 20_000 + 10);
    await eventually(err, (log) => log.includes("has space again"));
    assert.deepEqual(
      [countOf(err(), "disk is full"), countOf(err(), "has space again")],
      [1, 1],
      err(),
    );
    assert.equal(child.exitCode, null);
  },
);

test(
  "on a really full disk writes return 503, the process survives, and works when there is space",
  { skip },
  async (t) => {
    const disk = await startOnSmallDisk(t, "off");
    const { base, child, env, err } = disk;
    const { get, post } = clientOf(base, tokenOf(env.DATA_DIR));
    const acknowledged: string[] = [];
    const details = new Set<string>();
    const write = async (name: string) => {
      const comments = randomBytes(400).toString("hex");
      const items = Array.from({ length: 800 }, (_, n) => ({ name: `${name}-${n}`, comments }));
      const answer = await post("/crm/leads/batch", { items });
      const text = await answer.text();
      if (answer.status < 300) acknowledged.push(...items.map((item) => item.name));
      else {
        assert.equal(answer.status, 503, text);
        assert.ok(Number(answer.headers.get("retry-after")) > 0);
        details.add((JSON.parse(text) as { detail: string }).detail);
      }
      return answer.status;
    };
    assert.ok((await write("before")) < 300);
    disk.fill(0);
    let round = 0;
    await eventually(
      async () => {
        await write(`during-${round++}`);
        return [...details];
      },
      (all) => all.some((detail) => detail.includes("disk is full")),
    );
    disk.free();
    await eventually(
      () => write(`after-${round++}`),
      (status) => status < 300,
    );
    const rows = await (await get("/crm/leads/export?format=ndjson")).text();
    const stored = rows
      .trim()
      .split("\n")
      .map((row) => (JSON.parse(row) as { name: string }).name);
    const missing = acknowledged.filter((name) => !stored.includes(name));
    assert.deepEqual(missing, []);
    assert.equal(child.exitCode, null);
    await eventually(err, (log) => log.includes("disk is full"));
    assert.equal(countOf(err(), "disk is full"), 1, err());
  },
);
