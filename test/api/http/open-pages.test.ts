/** The public pages stay small and cheap to serve, whatever was requested before. */

import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { file } from "../../kit/started.ts";

const api = await fileApi();
const TOKEN = "a-token-for-prometheus";
const guarded = await startOwnApp(file, { url: api.databaseUrl, metricsToken: TOKEN });

const ask = (path: string, authorization?: string): Promise<Response> =>
  fetch(guarded.url + path, authorization === undefined ? {} : { headers: { authorization } });

test("odd methods and paths do not add labels to the metrics", async () => {
  for (const method of METHODS.filter((one) => one !== "CONNECT" && one !== "TRACE")) {
    for (const path of ["/crm/leads", "/healthz", `/none/${method}`]) {
      await (await fetch(guarded.url + path, { method })).arrayBuffer();
    }
  }
  const body = await (await ask("/metrics", `Bearer ${TOKEN}`)).text();
  const methods = new Set([...body.matchAll(/[{,]method="(\w+)"/g)].map(([, name]) => name));
  const routes = new Set([...body.matchAll(/[{,]route="([^"]+)"/g)].map(([, name]) => name));
  const known = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "other"];
  assert.deepEqual(methods, new Set(known));
  assert.deepEqual(routes, new Set(["/crm/leads", "/healthz", "none"]));
});

test("a method that a path does not take adds no label, also past the limit of its address", async (t) => {
  const own = await startOwnApp(t, { url: api.databaseUrl, anonymousRateLimit: 600 });
  const { paths } = own.app.swagger() as { paths: Record<string, object> };
  const taken = new Set(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const statuses = new Set<number>();
  for (const path of Object.keys(paths)) {
    for (const method of METHODS.filter((one) => one !== "CONNECT" && one !== "TRACE")) {
      const { status } = await fetch(own.url + path.replaceAll(/[{}]/g, ""), { method });
      statuses.add(status);
    }
  }
  assert.ok(
    [401, 405, 429].every((status) => statuses.has(status)),
    [...statuses].join(" "),
  );
  const body = await (await fetch(`${own.url}/metrics`)).text();
  const counts = body.matchAll(/_count\{method="(\w+)",route="([^"]+)"/g);
  const shown = [...counts].map(([, method = "", route = ""]) => {
    const path = route.replaceAll(/:(\w+)/g, "{$1}");
    return `${method === "HEAD" ? "GET" : method} ${path}`;
  });
  assert.ok(shown.length > 100);
  assert.deepEqual(
    shown.filter((operation) => !operation.endsWith(" none") && !taken.has(operation)),
    [],
  );
});

test("with METRICS_TOKEN the page needs that token, and no other credential opens it", async () => {
  const { bearer } = await api.tenant();
  assert.equal((await ask("/metrics")).status, 401);
  assert.equal((await ask("/metrics", `Bearer ${bearer}`)).status, 401);
  assert.equal((await ask("/metrics", `Bearer ${TOKEN}`)).status, 200);
});

test("openapi.json is printed once and can be revalidated", async () => {
  const print = async (headers: Record<string, string> = {}) =>
    guarded.app.inject({ method: "GET", url: "/openapi.json", headers });
  const swagger = guarded.app.swagger.bind(guarded.app);
  let printed = 0;
  guarded.app.swagger = ((...given: []) => {
    printed += 1;
    return swagger(...given);
  }) as typeof guarded.app.swagger;
  const first = await print();
  const second = await print();
  assert.equal(printed, 1);
  assert.equal(first.body, second.body);
  const { etag } = first.headers;
  assert.equal((await print({ "if-none-match": String(etag) })).statusCode, 304);
});
