/** Tests of the documentation pages and of the API description that they show. They need no browser. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openGuides } from "../../src/reference/pages/guides.ts";
import { render } from "../../src/reference/pages/markdown.ts";
import type { Document } from "../api/operations.ts";
import { startApi } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";

// The description contains the current date, so the clock stands still.
const clock = { now_ms: () => Date.UTC(2026, 10, 21, 12) };
const api = await fileApi({ trustedProxies: ["127.0.0.1"], clock });

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(api.url + path, { headers, redirect: "manual" });

const description = async (
  path: string,
  headers?: Readonly<Record<string, string>>,
): Promise<Document> => (await get(path, headers)).json();

test("the description names the requested host, as reported by a trusted proxy", async () => {
  const direct = await description("/openapi.json");
  assert.deepEqual(direct.servers, [{ url: api.url }]);
  assert.equal(direct.components.securitySchemes.SessionCookie.name, "leadport");
  const forwarded = { "x-forwarded-host": "crm.example.com", "x-forwarded-proto": "https" };
  const proxied = await description("/openapi.json", forwarded);
  assert.deepEqual(proxied.servers, [{ url: "https://crm.example.com" }]);
  assert.equal(proxied.components.securitySchemes.SessionCookie.name, "__Host-leadport");
  const partner = await description("/docs/partner/openapi.json", forwarded);
  assert.deepEqual(partner.servers, [{ url: "https://crm.example.com" }]);
});

test("an untrusted proxy cannot name another host, and no host breaks the description", async (t) => {
  const open = await startApi(t);
  const headers = { "x-forwarded-host": "evil.example.com", "x-forwarded-proto": "https" };
  const answered: Document = await (await fetch(`${open.url}/openapi.json`, { headers })).json();
  assert.deepEqual(answered.servers, [{ url: open.url }]);
  for (const host of ['"},{"url":"https://evil.example.com', "a b", "%ORIGIN%", "<x>"]) {
    const { servers } = await description("/openapi.json", { "x-forwarded-host": host });
    assert.deepEqual(Object.keys(servers[0]), ["url"]);
    assert.equal(servers.length, 1);
    assert.ok(!JSON.stringify(servers).includes("evil"), host);
  }
});

test("a known description is not sent again, except for another host", async () => {
  const etag = (await get("/openapi.json")).headers.get("etag") ?? "";
  const known = { "if-none-match": etag };
  assert.equal((await get("/openapi.json", known)).status, 304);
  const other = { ...known, "x-forwarded-host": "crm.example.com" };
  assert.equal((await get("/openapi.json", other)).status, 200);
});

const everything = await description("/openapi.json");
const partner = await description("/docs/partner/openapi.json");

const operationsIn = (document: Document): readonly Document[] =>
  Object.values<Document>(document.paths).flatMap((methods) => Object.values<Document>(methods));
const ids = (all: readonly Document[]): readonly string[] =>
  all.map(({ operationId }) => String(operationId)).toSorted();

test("the partner view describes the operations of partners, and no others", () => {
  const expected = operationsIn(everything).filter(
    ({ operationId, security = [] }) =>
      operationId === "create_partner_token" ||
      security.some((one: object) => "PartnerToken" in one),
  );
  assert.ok(expected.length > 15);
  assert.deepEqual(ids(operationsIn(partner)), ids(expected));
  assert.deepEqual(Object.keys(partner.components.securitySchemes), ["PartnerToken"]);
  const names = [...JSON.stringify(partner).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
  for (const [, kind = "", name = ""] of names) assert.ok(partner.components[kind][name], name);
  const used = new Set(names.map(([, , name]) => name));
  const unused = Object.keys(partner.components.schemas).filter((name) => !used.has(name));
  assert.deepEqual(unused, []);
  assert.doesNotMatch(JSON.stringify(partner), /\/crm\/admin\//);
});

const guides = openGuides();
const ROOT = join(import.meta.dirname, "../..");

/** The names of all guides, as linked in the overview. */
const names = [...(guides.page("") ?? "").matchAll(/href="\/docs\/guides\/([^"#]+)"/g)].map(
  ([, name = ""]) => name,
);

test("every file of docs/ is a guide in the menu, once", () => {
  const docs = readdirSync(join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
  const decisions = readdirSync(join(ROOT, "docs/decisions")).map((file) => `decisions/${file}`);
  const expected = [...docs, ...decisions].map((file) => file.replace(/\.md$/, ""));
  assert.deepEqual(names.toSorted(), [...expected, "client"].toSorted());
});

test("every link of every guide leads to an existing page and heading", async () => {
  const statuses = new Map<string, number>();
  const statusOf = async (path: string): Promise<number> => {
    const known = statuses.get(path) ?? (await get(path)).status;
    statuses.set(path, known);
    return known;
  };
  const broken: string[] = [];
  let links = 0;
  for (const name of names) {
    const page = guides.page(name) ?? "";
    for (const [, to = ""] of page.matchAll(/(?:href|src)="(\/docs[^"]*|#[^"]*)"/g)) {
      links += 1;
      const [path = "", anchor] = to.split("#", 2);
      const status = path === "" ? 200 : await statusOf(path);
      const target = path === "" ? page : (guides.page(path.replace("/docs/guides/", "")) ?? "");
      const hasAnchor = anchor === undefined || target.includes(` id="${anchor}"`);
      if (status !== 200 || !hasAnchor) broken.push(`${name}: ${to} ${status}`);
    }
  }
  assert.ok(links > 500);
  assert.deepEqual(broken, []);
});

test("a guide runs no scripts but ours, has no frames, and loads nothing from another host", async () => {
  for (const path of ["/docs/guides", "/docs/guides/tour", "/docs/guides/decisions/0004-queue"]) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "script-src 'self';",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ]) {
      assert.ok(policy.includes(rule), `${rule} in ${policy}`);
    }
    assert.ok(!policy.includes("unsafe"), policy);
    const html = await page.text();
    assert.doesNotMatch(html, /<script(?! src="\/docs\/)|<style| style=|src="https?:/);
  }
});

test("the reference runs no script but the service's own", async () => {
  for (const path of ["/docs/", "/docs/partner"]) {
    const policy = (await get(path)).headers.get("content-security-policy") ?? "";
    assert.match(policy, /script-src 'self'; /);
    assert.match(policy, /connect-src 'self'; /);
    assert.match(policy, /frame-ancestors 'none'/);
  }
});

test("the vendor's script is sent compressed, or as it is, and not again if it is known", async () => {
  const path = "/docs/assets/scalar.js";
  const packed = await get(path, { "accept-encoding": "gzip" });
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  const plain = await get(path, { "accept-encoding": "identity" });
  assert.equal(plain.headers.get("content-encoding"), null);
  const script = await packed.text();
  assert.ok(script.includes("createApiReference") && script === (await plain.text()));
  const known = await get(path, { "if-none-match": packed.headers.get("etag") ?? "" });
  assert.equal(known.status, 304);
});

test("anything that is no page of the documentation returns 404, whatever its path", async () => {
  for (const path of [
    "/docs/guides/nothing",
    "/docs/guides/../../package.json",
    "/docs/guides/..%2f..%2fpackage.json",
    "/docs/guides/decisions",
    "/docs/guides/constructor",
    "/docs/assets/nothing.js",
    "/docs/assets/..%2findex.ts",
    "/docs/partner/nothing",
  ]) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test("a browser gets a page that leads back where there is none, a program the usual error", async () => {
  for (const path of ["/docs/nothing", "/docs/guides/nothing", "/docs/partner/nothing"]) {
    const page = await get(path, { accept: "text/html,*/*" });
    assert.equal(page.status, 404);
    assert.match(await page.text(), /<h1>Page not found<\/h1>[^]*href="\/docs\/guides"/);
    const problem = await get(path, { accept: "*/*" });
    assert.match(problem.headers.get("content-type") ?? "", /json/);
  }
});

test("the samples of the guides call the service where it was asked", async () => {
  const response = await get("/docs/guides/tour");
  const text = await response.text();
  assert.ok(text.includes(`LEADPORT=${new URL(response.url).origin}`));
  assert.ok(!text.includes("127.0.0.1:8080"));
  assert.ok(guides.page("tour", 'http://"><b>')?.includes("http://&quot;&gt;&lt;b&gt;"));
});

test("no guide shows the note that its file is generated", () => {
  for (const name of ["records", "errors"]) {
    assert.doesNotMatch(guides.page(name) ?? "", /npm run (?:leadport|print)/, name);
  }
});

test("Markdown becomes HTML in which HTML of the source is text", () => {
  const { html, headings } = render(
    '# A `b` & c\n\n## Again\n\n## Again\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) [y](other.md#z) ![p](p.svg)\n\n`<i>`\n\n| a | |\n|---|---|\n| 1 | 2 |\n\n```sh\necho "<&"\n```\n',
    (href) => (href === "other.md#z" ? "/docs/guides/other#z" : undefined),
  );
  assert.deepEqual(
    headings.map(({ id }) => id),
    ["a-b--c", "again", "again-1"],
  );
  assert.doesNotMatch(html, /<script|javascript:|<img|<i>/);
  assert.match(html, /<a href="\/docs\/guides\/other#z">y<\/a>/);
  assert.match(html, /<pre tabindex="0"><code>echo &quot;&lt;&amp;&quot;/);
  assert.match(html, /<th role="columnheader">a<\/th><td role="cell"><\/td>/);
  assert.match(html, /<td role="cell" data-label="a">1<\/td><td role="cell" data-label="">2<\/td>/);
});
