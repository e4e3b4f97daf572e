/** The embedded PostgreSQL's settings, which docs/operating.md also recommends for other servers. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  recommendedMarkdown,
  settingArguments,
} from "../../src/platform/embedded/postgres-settings.ts";
import { separateServer } from "../kit/database.ts";
import { openSession } from "../kit/started.ts";

const MB = 1024 * 1024;

/** Returns the settings for a machine with this amount of memory, by name. */
function settingsOf(memory_MB: number): Readonly<Record<string, string>> {
  const { args } = settingArguments({ memory_bytes: memory_MB * MB, connections: 20 }, "18");
  const pairs = args.filter((arg) => arg !== "-c").map((arg) => arg.split(/=(.*)/s).slice(0, 2));
  return Object.fromEntries(pairs) as Record<string, string>;
}

test("docs/operating.md recommends what the code sets", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");
  assert.ok(page.includes(`\n${recommendedMarkdown()}\n`), recommendedMarkdown());
});

test("memory is distributed by the machine's size, within bounds", () => {
  for (const [memory_MB, buffers, work] of [
    [64, "32MB", "4MB"],
    [1024, "256MB", "4MB"],
    [24_576, "6144MB", "24MB"],
    [262_144, "8192MB", "32MB"],
  ] as const) {
    const { shared_buffers, work_mem } = settingsOf(memory_MB);
    assert.deepEqual([shared_buffers, work_mem], [buffers, work]);
  }
});

test("PostgreSQL accepts every setting and runs with it, durability on", async (t) => {
  const { url } = await separateServer(t);
  const sql = openSession(t, url);
  const rows = await sql`select name, setting, source from pg_settings`;
  const running = new Map(
    rows.map(({ name, ...setting }) => [String(name).toLowerCase(), setting]),
  );
  const { "leadport.settings": fingerprint, ...settings } = settingsOf(512);
  assert.match(fingerprint ?? "", /^\w{16}$/);
  for (const name of Object.keys(settings)) {
    assert.equal(running.get(name)?.["source"], "command line", name);
  }
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
    assert.equal(running.get(name)?.["setting"], "on");
  }
});
