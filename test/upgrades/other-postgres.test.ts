/** Every command refuses a data folder of another major version of PostgreSQL, says what to do, and changes nothing. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { filledFolder } from "../kit/cluster.ts";
import { clusterOf, folder, printed } from "../running/leadport.ts";

/** Returns the files in a folder, each with its size and the time when it was last written. */
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => ({ name, stat: statSync(join(path, name)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ name, stat: { size, mtimeMs } }) => ({ name, size, mtimeMs }));

const COMMANDS = [
  "start",
  "migrate",
  "doctor",
  "upgrade --check",
  "backup",
  "backup --logical",
  "tenant list",
];

// docs/upgrading.md#the-next-major-postgresql
test("each command refuses the data folder of another PostgreSQL and says what to do", async (t) => {
  const DATA_DIR = await filledFolder(t);
  const env = { DATA_DIR, PORT: "0", LOG_LEVEL: "warn" };
  for (const name of ["master-key", "owner-token"]) writeFileSync(join(DATA_DIR, name), "kept");
  const version = join(clusterOf(DATA_DIR), "data/PG_VERSION");
  const [ours = ""] = readFileSync(version, "utf8").split("\n");
  const earlier = Number(ours) - 1;
  const later = Number(ours) + 1;
  const text = (found: number): string =>
    `The database of ${DATA_DIR} was created by PostgreSQL ${found}, but this release includes PostgreSQL ${ours}, ` +
    "which cannot open it. Nothing was changed. ";
  const moves = [
    `DATA_DIR=${DATA_DIR} leadport backup --logical ${DATA_DIR}-backup-${earlier}`,
    `mkdir -m 711 ${DATA_DIR}-${ours}`,
    `cp -p ${DATA_DIR}/master-key ${DATA_DIR}-${ours}/`,
    `DATA_DIR=${DATA_DIR}-${ours} leadport restore ${DATA_DIR}-backup-${earlier}`,
    `cp -p ${DATA_DIR}/owner-token ${DATA_DIR}-${ours}/`,
    `DATA_DIR=${DATA_DIR}-${ours} leadport restore --release-deliveries`,
  ];
  for (const [found, expected] of [
    [earlier, moves],
    [later, ["Start the later release again"]],
  ] as const) {
    writeFileSync(version, `${found}\n`);
    const before = filesIn(DATA_DIR);
    for (const line of COMMANDS) {
      const words = line.split(" ");
      if (words[0] === "backup") words.push(join(folder(t), "backup"));
      const { code, out, err } = await printed(words, env);
      const message = out + err;
      assert.equal(code, 1, `${line}: ${message}`);
      assert.ok(message.includes(text(found)), `${line}: ${message}`);
      for (const command of expected) assert.ok(message.includes(command), `${line}: ${message}`);
    }
    assert.deepEqual(filesIn(DATA_DIR), before);
  }
});
