/** examples/partner-story.mjs as a user runs it: in a process of its own, against a running service. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileApi } from "../kit/file-api.ts";

const STORY = join(import.meta.dirname, "../../examples/partner-story.mjs");

/** What the story says where all goes well; ids and names differ each time. */
const TOLD = [
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

/** Runs the story to its end, in a folder that holds no token. */
const play = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [STORY, ...words], { cwd: tmpdir() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out: linesOf(out), err: linesOf(err) }),
    );
  });

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** That a story ends with 1, has told nothing, and says why in one line. */
async function checkEnd(words: readonly string[], why: RegExp): Promise<void> {
  const { code, out, err } = await play(...words);
  assert.deepEqual(
    { code, out, lines: err.length },
    { code: 1, out: [], lines: 1 },
    err.join("\n"),
  );
  assert.match(err[0] ?? "", why);
}

/** A port on which nothing listens any more. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const api = await fileApi();

test("the partner's story plays to its end, again and again in one tenant", async () => {
  const acme = await api.tenant();
  for (const round of ["first", "second"]) {
    const { code, out, err } = await play(acme.url, acme.bearer);
    assert.deepEqual({ code, err }, { code: 0, err: [] }, round);
    assert.equal(out.length, TOLD.length);
    TOLD.forEach((line, index) => assert.match(out[index] ?? "", line));
  }
});

test("with a wrong token the story ends in one line that says so", () =>
  checkEnd(
    [api.url, "lp_wrong"],
    /^✗ POST \/crm\/admin\/partners answered 401, not 200: .*Not authenticated.*is the token right/,
  ));

test("with a token that may not make partners the story names the permission", async () => {
  const writer = await (await api.tenant()).token(["records:write"]);
  await checkEnd([writer.url, writer.bearer], /^✗ POST \/crm\/admin\/partners answered 403.*admin/);
});

test("where nothing answers, and where no token is found, the story says what is missing", async () => {
  const nowhere = `http://127.0.0.1:${await closedPort()}`;
  await checkEnd(
    [nowhere, "lp_any"],
    /^✗ http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
  );
  await checkEnd([api.url], /^✗ There is no data\/owner-token here/);
});

test("--help explains the story and wrong use is 2", async () => {
  const { code, out, err } = await play("--help");
  assert.deepEqual({ code, err }, { code: 0, err: [] });
  assert.match(out.join("\n"), /Usage: node examples\/partner-story\.mjs \[URL\] \[TOKEN\]/);
  const wrong = await play("--verbose");
  assert.deepEqual([wrong.code, wrong.out], [2, []]);
  assert.match(wrong.err.join("\n"), /Usage:/);
});
