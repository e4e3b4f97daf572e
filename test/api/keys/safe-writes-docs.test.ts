/**
 * The commands in docs/safe-writes.md print the output shown there, and its list of operations without a key is complete.
 */

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startApi } from "../../kit/api.ts";
import { keylessWrites } from "../../../tools/sdk-resources.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/safe-writes.md"), "utf8");
const END = "=== end of block ===";

function isThere(program: string): boolean {
  try {
    return execFileSync(program, ["--version"]).length > 0;
  } catch {
    return false;
  }
}

test("docs/safe-writes.md lists every write that ignores an Idempotency-Key", () => {
  const [, list = ""] = /with these exceptions:\n\n([^]*?)\n\n/.exec(PAGE) ?? [];
  const listed = [...list.matchAll(/`([A-Z]+) (\/[^`]*)`/g)].map(
    ([, method = "", path = ""]) => `${method.toLowerCase()} ${path}`,
  );
  assert.match(list, /all operations below `\/auth\/`/);
  const others = keylessWrites().filter((write) => !write.includes(" /auth/"));
  assert.deepEqual(listed.toSorted(), others.toSorted());
});

test(
  "the examples of docs/safe-writes.md print what it shows",
  { skip: !isThere("curl") && "needs curl" },
  async (t) => {
    const blocks = [...PAGE.matchAll(/```(sh|http)\n([^`]*)```/g)].map(([, kind, text = ""]) => ({
      kind,
      text,
    }));
    const commands = blocks.filter(({ kind }) => kind === "sh");
    const shown = blocks.filter(({ kind }) => kind === "http");
    assert.ok(commands.length > 4 && commands.length === shown.length);
    const api = await startApi(t);
    const { bearer: TOKEN } = await api.tenant();
    const script = commands.map(({ text }) => `${text}\necho; echo "${END}"\n`).join("");
    const env = { ...process.env, LEADPORT: api.url, TOKEN };
    const { stdout } = await promisify(execFile)("sh", ["-eu", "-c", script], { env });
    const printed = stdout.split(END);
    for (const [at, { text }] of shown.entries()) {
      const lines = printed[at]?.split(/\r?\n/) ?? [];
      for (const line of text.trim().split("\n")) {
        assert.ok(lines.includes(line), `${line} is not in ${printed[at]}`);
      }
    }
  },
);
