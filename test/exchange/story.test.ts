/** examples/partner-story.mjs as a user runs it: in a separate process, against a running service. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { freePort } from "../kit/started.ts";

const STORY = join(import.meta.dirname, "../../examples/partner-story.mjs");

/** What the story prints if everything works; ids and names differ each time. */
const LINES = [
  /^✓ the tenant made the partner [0-9a-f]{24}; its access code was shown once$/,
  /^✓ the partner has a token for an hour; a wrong code gets none$/,
  /^✓ nobody is known by ines\.falk\.\w+@example\.com$/,
  /^✓ the partner pushed [0-9a-f]{24}; a second push of the same person is refused$/,
  /^✓ the tenant accepted and imported it: lead [0-9a-f]{24}$/,
  /^✓ the partner follows it, step by step$/,
  /^✓ the lead was converted, and its deal [0-9a-f]{24} won$/,
  /^✓ both see a commission of 925\.93 USD$/,
  /^✓ suspended, the partner's token is worth nothing$/,
];

interface Ended {
  readonly code: unknown;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs the story completely, in a folder without a token. */
const play = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [STORY, ...words], { cwd: tmpdir() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out: linesOf(out), err: linesOf(err) }),
    );
  });

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** Checks that a story exits with 1, has printed nothing, and explains why in one line. */
async function checkEnd(words: readonly string[], why: RegExp): Promise<void> {
  const { code, out, err } = await play(...words);
  assert.deepEqual(
    { code, out, lines: err.length },
    { code: 1, out: [], lines: 1 },
    err.join("\n"),
  );
  assert.match(err[0] ?? "", why);
}

const api = await fileApi();

test("the partner's story runs to its end, again and again in one tenant", async () => {
  const acme = await api.tenant();
  for (const round of ["first", "second"]) {
    const { code, out, err } = await play(acme.url, acme.bearer);
    assert.deepEqual({ code, err }, { code: 0, err: [] }, round);
    assert.equal(out.length, LINES.length);
    LINES.forEach((line, index) => assert.match(out[index] ?? "", line));
  }
});

test("with a wrong token the story ends with one line that explains it", () =>
  checkEnd(
    [api.url, "lp_wrong"],
    /^✗ POST \/crm\/admin\/partners returned 401, not 200: .*Not authenticated.*is the token correct/,
  ));

test("with a token that may not create partners the story names the permission", async () => {
  const writer = await (await api.tenant()).token(["records:write"]);
  await checkEnd([writer.url, writer.bearer], /^✗ POST \/crm\/admin\/partners returned 403.*admin/);
});

test("if nothing responds, and if there is no token, the story prints what is missing", async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  await checkEnd(
    [nowhere, "lp_any"],
    /^✗ http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
  );
  await checkEnd([api.url], /^✗ There is no data\/owner-token here/);
});

test("--help explains the story, and wrong use exits with 2", async () => {
  const { code, out, err } = await play("--help");
  assert.deepEqual({ code, err }, { code: 0, err: [] });
  assert.match(out.join("\n"), /Usage: node examples\/partner-story\.mjs \[URL\] \[TOKEN\]/);
  const wrong = await play("--verbose");
  assert.deepEqual([wrong.code, wrong.out], [2, []]);
  assert.match(wrong.err.join("\n"), /Usage:/);
});
