/** Runs examples/partner-story.mjs as users do: as a separate process against a running service. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { sharedApi } from "../../kit/file-api.ts";

const STORY = join(import.meta.dirname, "../../../examples/partner-story.mjs");

/** The output of a successful run, whose ids and names differ each time. */
const LINES = [
  /^✓ The tenant created the partner [0-9a-f]{24}\. Its access code was shown once$/,
  /^✓ The partner has a token for an hour\. A wrong access code is rejected$/,
  /^✓ ines\.falk\.\w+@example\.com is not known yet$/,
  /^✓ The partner pushed [0-9a-f]{24}\. A second push of the same person is rejected$/,
  /^✓ The tenant accepted and imported it as lead [0-9a-f]{24}$/,
  /^✓ The partner sees every step$/,
  /^✓ The lead was converted, and its deal [0-9a-f]{24} was won$/,
  /^✓ Both see a commission of 925\.93 USD$/,
  /^✓ The token of the suspended partner no longer works$/,
];

interface Ended {
  readonly code: unknown;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs the story in a folder without a token. */
const play = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [STORY, ...words], { cwd: tmpdir() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out: linesOf(out), err: linesOf(err) }),
    );
  });

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** Asserts that the story prints only the reason, on one line, and exits with code 1. */
async function checkEnd(words: readonly string[], why: RegExp): Promise<void> {
  const { code, out, err } = await play(...words);
  assert.deepEqual(
    { code, out, lines: err.length },
    { code: 1, out: [], lines: 1 },
    err.join("\n"),
  );
  assert.match(err[0] ?? "", why);
}

const api = await sharedApi();

test("the partner's story succeeds, also a second time in the same tenant", async () => {
  const acme = await api.tenant();
  for (const round of ["first", "second"]) {
    const { code, out, err } = await play(acme.url, acme.bearer);
    assert.deepEqual({ code, err }, { code: 0, err: [] }, round);
    assert.equal(out.length, LINES.length);
    LINES.forEach((line, index) => assert.match(out[index] ?? "", line));
  }
});

test("with a wrong token the story fails with one line that states this", () =>
  checkEnd(
    [api.url, "lp_wrong"],
    /^✗ POST \/crm\/admin\/partners returned 401, not 200: .*Not authenticated.*is the token correct/,
  ));

test("with a token that cannot create partners the story names the missing permission", async () => {
  const writer = await (await api.tenant()).token(["records:write"]);
  await checkEnd([writer.url, writer.bearer], /^✗ POST \/crm\/admin\/partners returned 403.*admin/);
});

test("without a service or a token the story states what is missing", async () => {
  // No server listens on this port. A port that is only free now could be given to another test's server.
  const nowhere = "http://127.0.0.1:2";
  await checkEnd(
    [nowhere, "lp_any"],
    /^✗ http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
  );
  await checkEnd([api.url], /^✗ There is no data\/owner-token here/);
});

test("--help explains the story, and wrong usage exits with 2", async () => {
  const { code, out, err } = await play("--help");
  assert.deepEqual({ code, err }, { code: 0, err: [] });
  assert.match(out.join("\n"), /Usage: node examples\/partner-story\.mjs \[URL\] \[TOKEN\]/);
  const wrong = await play("--verbose");
  assert.deepEqual([wrong.code, wrong.out], [2, []]);
  assert.match(wrong.err.join("\n"), /Usage:/);
});
