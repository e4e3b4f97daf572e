/** How the pages' HTML document and files are served. */

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { startApi } from "../kit/api.ts";
import { openPages } from "../../src/platform/http/static-files.ts";
import { temporaryFolder } from "../kit/started.ts";

const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("for an address that no operation has, browsers get the document, and programs a 404", async (t) => {
  const api = await startApi(t, { hasPages: true });
  for (const path of ["/", "/leads", "/partner/sign-in", "/settings/people?tab=1"]) {
    const opened = await fetch(api.url + path, { headers: asBrowser });
    assert.equal(opened.status, 200, path);
    assert.match(opened.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(await opened.text(), /<div id="root">/);
    const asked = await fetch(api.url + path, { headers: { accept: "application/json" } });
    assert.equal(asked.status, 404, path);
    assert.deepEqual(Object.keys((await asked.json()) as object), ["detail"]);
  }
});

test("what belongs to the API, or is no file, is never the document", async (t) => {
  const api = await startApi(t, { hasPages: true });
  for (const path of ["/crm/nothing", "/auth/nothing", "/assets/nothing.js", "/nothing.png"]) {
    const { status } = await fetch(api.url + path, { headers: asBrowser });
    assert.equal(status, 404, path);
  }
  const posted = await fetch(`${api.url}/leads`, { method: "POST", headers: asBrowser });
  assert.equal(posted.status, 404);
});

test("the document allows nothing but what the service serves, with a new nonce each time", async (t) => {
  const api = await startApi(t, { hasPages: true });
  const policyOf = async () => {
    const answer = await fetch(api.url, { headers: asBrowser });
    const policy = answer.headers.get("content-security-policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    assert.ok((await answer.text()).includes(`content="${nonce}"`));
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    return { policy, nonce };
  };
  const first = await policyOf();
  const second = await policyOf();
  assert.match(first.policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/);
  assert.match(first.policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(first.policy, /unsafe|\*/);
  assert.notEqual(first.nonce, second.nonce);
  assert.ok(first.nonce.length >= 22, "128 bits");
});

test("files that are named by their content are cached forever, and sent compressed", async (t) => {
  const api = await startApi(t, { hasPages: true });
  const document = await (await fetch(api.url, { headers: asBrowser })).text();
  const [script = ""] = /\/assets\/[\w-]+\.js/.exec(document) ?? [];
  const packed = await fetch(api.url + script, { headers: { "accept-encoding": "br" } });
  assert.equal(packed.status, 200);
  assert.equal(packed.headers.get("content-encoding"), "br");
  assert.match(packed.headers.get("cache-control") ?? "", /immutable/);
  const other = await fetch(`${api.url}/favicon.svg`, {
    headers: { "accept-encoding": "identity" },
  });
  assert.equal(other.headers.get("content-encoding"), null);
  assert.equal(other.headers.get("cache-control"), "no-cache");
  const hidden = await fetch(`${api.url}/.built-from`);
  assert.equal(hidden.status, 404);
});

test("the packed client has an address with its version, and one that redirects to it", async (t) => {
  const api = await startApi(t, { hasPages: true });
  const named = await fetch(`${api.url}/sdk/leadport-client.tgz`, { redirect: "manual" });
  assert.equal(named.status, 302);
  const address = new URL(named.headers.get("location") ?? "", named.url).href;
  assert.match(address, /\/sdk\/leadport-client-\d+\.\d+\.\d+\.tgz$/);
  const packed = await fetch(address, { headers: { "accept-encoding": "identity" } });
  assert.equal(packed.status, 200);
  assert.equal(packed.headers.get("content-encoding"), null);
  assert.equal(packed.headers.get("cache-control"), "no-cache");
  const [first, second] = new Uint8Array(await packed.arrayBuffer());
  assert.deepEqual([first, second], [0x1f, 0x8b], "gzip");
  for (const path of ["/sdk/leadport-client-0.0.0.tgz", "/sdk/"]) {
    assert.equal((await fetch(api.url + path, { headers: asBrowser })).status, 404, path);
  }
  assert.equal((await fetch(`${api.url}/.client-built-from`)).status, 404);
});

test("without pages the API works as usual", async (t) => {
  const api = await startApi(t);
  const { status } = await fetch(api.url, { headers: asBrowser });
  assert.equal(status, 404);
});

test("pages that are not built, or that have no place for the nonce, are rejected at the start", async (t) => {
  const folder = temporaryFolder(t);
  const notBuilt = {
    name: "StartError",
    message: /^The pages are not built. Run `npm run build`.$/,
  };
  assert.throws(() => openPages(folder), notBuilt);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  assert.throws(() => openPages(folder), /no %NONCE% placeholder/);
});
