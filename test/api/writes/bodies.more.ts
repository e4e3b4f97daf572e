/** Limits on request bodies: size, content, arrival time, and memory. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../kit/eventually.ts";
import { fileApi } from "../../kit/file-api.ts";
import { readDocument } from "../operations.ts";
import { startOwnApp } from "../own-app.ts";
import { file, openSocket } from "../../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();
const hasty = await startOwnApp(file, {
  url: api.databaseUrl,
  bodies: { pace: { grace_ms: 300, bytes_per_s: 1e9 } },
});
const small = await startOwnApp(file, {
  url: api.databaseUrl,
  bodies: { held: { credential: 40_000, address: 1e6, all: 1e6 } },
});

const JSON_BODY = { "content-type": "application/json" };
const lead = (body: string) =>
  acme.request({ method: "POST", path: "/crm/leads", headers: JSON_BODY, body });

/** Opens a connection and collects everything that the service sends on it. */
function open(url: string) {
  const { hostname, port } = new URL(url);
  const socket = openSocket(file, port, hostname);
  const seen = { text: "" };
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (seen.text += chunk));
  return {
    socket,
    text: () => seen.text,
    closed: new Promise((resolve) => socket.once("close", resolve)),
  };
}

const head = (path: string, headers: Readonly<Record<string, string | number>>): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n",
  ].join("\r\n");

const MEMBERS: readonly (readonly [what: string, body: string, status: number])[] = [
  ["50,000 elements", `{"tags":[${"{},".repeat(49_998)}{}]}`, 422],
  ["50,001 elements", `{"tags":[${"{},".repeat(49_999)}{}]}`, 413],
  ["many keys", `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join()}}`, 413],
  ["21 levels", `{"tags":${"[".repeat(21)}${"]".repeat(21)}}`, 422],
  ["200,000 levels", `{"tags":${"[".repeat(200_000)}`, 422],
  ["deep after many members", `{"a":[${"1,".repeat(60_000)}${"[".repeat(30)}`, 413],
];
for (const [what, body, status] of MEMBERS) {
  test(`a body with ${what} returns ${status}`, async () => {
    const answer = await lead(body);
    assert.equal(answer.status, status);
    if (status === 413) assert.match(answer.body.detail, /50,000 members and elements/);
    else assert.ok(answer.body.detail.length <= 100 && answer.text.length < 100_000);
  });
}

test("every operation without a credential accepts 4 KiB and no more", async () => {
  const { paths } = await readDocument(acme);
  const anonymous = Object.entries<Record<string, { security?: unknown[]; requestBody?: object }>>(
    paths,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, requestBody }]) =>
      requestBody !== undefined && security?.length === 0 ? [{ path, method }] : [],
    ),
  );
  assert.ok(anonymous.length >= 4, "sign-in, token exchange, the portal and links");
  for (const { path, method } of anonymous) {
    const send = (length: number) =>
      acme.request({
        method: method.toUpperCase(),
        path,
        headers: { ...JSON_BODY, authorization: null },
        body: `{"x":"${"x".repeat(length - 8)}"}`,
      });
    assert.equal((await send(4097)).status, 413, path);
    assert.notEqual((await send(4096)).status, 413, path);
  }
});

test("a body without a length is rejected at its limit", async () => {
  const { socket, text, closed } = open(api.url);
  socket.write(head("/auth/sign_in", { "Transfer-Encoding": "chunked" }));
  socket.write(`1001\r\n${"x".repeat(4097)}\r\n`);
  await closed;
  assert.match(text(), /^HTTP\/1.1 413 /);
});

for (const [what, path, authorization] of [
  ["without a credential", "/crm/leads", "Bearer nonsense"],
  ["for a path that does not exist", "/crm/nothing", ""],
] as const) {
  test(`a request ${what} gets its response before its body arrives, and the connection ends`, async () => {
    const { socket, text, closed } = open(api.url);
    socket.write(head(path, { authorization, "Content-Length": 1_000_000 }));
    await eventually(text, (seen) => /^HTTP\/1.1 40[14] /.test(seen));
    await closed;
  });
}

test("a body that takes too long returns 408, and the connection ends", async () => {
  const { socket, text, closed } = open(hasty.url);
  const authorization = `Bearer ${acme.bearer}`;
  socket.write(head("/crm/leads", { authorization, "Content-Length": 100 }));
  socket.write('{"na');
  await closed;
  assert.match(text(), /^HTTP\/1.1 408 /);
  assert.match(text(), /connection: close/i);
  assert.match(text(), /\{"detail":"The request body took too long to arrive"\}$/);
});

test("bytes of unfinished bodies are limited per credential, and released with the connection", async () => {
  const authorization = `Bearer ${acme.bearer}`;
  const start = (length: number) => {
    const opened = open(small.url);
    opened.socket.write(head("/crm/leads", { authorization, "Content-Length": length }));
    opened.socket.write("x".repeat(30_000));
    return opened;
  };
  const responseOfAnother = async () => {
    const opened = start(30_000);
    // Both responses end with a JSON object. Their headers can arrive before it.
    await eventually(opened.text, (seen) => seen.endsWith("}"));
    opened.socket.destroy();
    return opened.text();
  };
  const first = start(30_100);
  const refused = await eventually(responseOfAnother, (seen) => seen.startsWith("HTTP/1.1 429 "));
  assert.match(refused, /retry-after: 5/i);
  assert.match(refused, /from this credential/);
  first.socket.destroy();
  await eventually(responseOfAnother, (seen) => seen.startsWith("HTTP/1.1 422 "));
});
