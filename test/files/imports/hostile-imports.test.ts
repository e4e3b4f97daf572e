/**
 * Files designed to exhaust the service, sent over HTTP: the service stores and returns only a small amount of data.
 */

import assert from "node:assert/strict";
import http from "node:http";
import { text as textOf } from "node:stream/consumers";
import { test } from "node:test";
import { startOwnApp } from "../../api/own-app.ts";
import { fileApi } from "../../kit/file-api.ts";
import { eventually } from "../../kit/eventually.ts";
import type { Client } from "../../kit/api.ts";
import { importFile, prepare, send, type Import } from "./sending.ts";

const api = await fileApi();

const line = (at: number) => `Lead ${at},lead-${at}@example.com,${"x".repeat(900)}\n`;
const ROWS = 4000;
const FILE = `name,email,comments\n${Array.from({ length: ROWS }, (_, at) => line(at)).join("")}`;

test("the list of imports stays small with 2,000 columns, and one import names them all", async () => {
  const acme = await api.tenant();
  const names = Array.from({ length: 1999 }, (_, at) => `a column with a long name ${at}`);
  const wide = await importFile(acme, "leads", `name,${names.join(",")}\nAnn\n`);
  await importFile(acme, "leads", "name,email\nBo,bo@example.com\n");
  const list = await acme.get("/crm/imports");
  assert.equal(list.status, 200);
  assert.ok(list.text.length < 20_000, `${list.text.length} characters`);
  const [narrow, listed] = list.body as unknown as readonly Record<string, unknown>[];
  assert.deepEqual(
    { columns: listed?.["columns"], file: listed?.["file"], mapping: listed?.["mapping"] },
    { columns: 2000, file: null, mapping: null },
  );
  const { headings } = (narrow?.["file"] ?? {}) as { readonly headings: unknown };
  assert.deepEqual(headings, ["name", "email"]);
  const one = await importOf(acme, wide.id);
  assert.equal((one["file"] as { headings: readonly unknown[] }).headings.length, 2000);
});

const noteOf = (length: number) => `,${"x".repeat(length)}`;

test("rejects are stored whole up to 64 KiB, and beyond it without their text", async () => {
  const acme = await api.tenant();
  const done = await importFile(
    acme,
    "leads",
    `name,comments\n${noteOf(60_000)}\n${noteOf(70_000)}\nAnn,y\n`,
  );
  assert.deepEqual([done["created"], done["refused"]], [1, 2]);
  const [whole, cut] = done.rejects;
  assert.equal(whole?.raw.length, 4097);
  assert.equal(cut?.raw, "");
  assert.match(cut?.reason ?? "", /rows over 64 KiB are not stored/);
  const { text: file } = await acme.get(`/crm/imports/${done.id}/rejects`);
  assert.ok(file.includes(noteOf(60_000)));
  assert.ok(file.length < 62_000);
});

test("words of a megabyte are counted by their beginning", async () => {
  const acme = await api.tenant();
  const rows = Array.from({ length: 20 }, (_, at) => `Ann,${at}${"w".repeat(3000)}\n`).join("");
  const done = await importFile(acme, "leads", `name,status\n${rows}`);
  const words = done["words"] as readonly { readonly word: string }[];
  assert.equal(words.length, 20);
  for (const { word } of words) assert.ok(word.length <= 201);
});

/** Sends the start of a file and keeps the connection open. Resolves with the response when it arrives. */
function startSending(client: Client, url: string, id: string, content: string) {
  const request = http.request(`${url}/crm/imports/${id}/data`, {
    method: "PUT",
    headers: { authorization: `Bearer ${client.bearer}`, "transfer-encoding": "chunked" },
  });
  request.write(content);
  const answered = new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      request.once("error", reject);
      request.once("response", (response) => {
        const { statusCode: status = 0, headers } = response;
        textOf(response).then((text) => resolve({ status, headers, text }), reject);
      });
    },
  );
  return { answered, end: () => request.destroy() };
}

const importOf = async (client: Client, id: string) =>
  (await client.get(`/crm/imports/${id}`)).body as unknown as Import;

test("a file that arrives too slowly returns 408, and its import can be resumed", async (t) => {
  const acme = await api.tenant();
  const own = await startOwnApp(t, { url: api.databaseUrl, stall_ms: 300 });
  const id = await prepare(acme, "leads");
  const sending = startSending(acme, own.url, id, FILE.slice(0, FILE.length / 2));
  const { status, headers, text } = await sending.answered;
  sending.end();
  assert.equal(status, 408, text);
  assert.equal(headers.connection, "close");
  assert.match(text, /send the same file again to resume/);
  assert.equal((await importOf(acme, id)).state, "interrupted");
  const again = await send(acme, id, FILE);
  assert.equal(again.body["created"], ROWS, again.text);
});

test("a service that stops ends an import with a 503, and a retry resumes it", async (t) => {
  const acme = await api.tenant();
  const own = await startOwnApp(t, { url: api.databaseUrl });
  const id = await prepare(acme, "leads");
  const sending = startSending(acme, own.url, id, FILE.slice(0, FILE.length * 0.8));
  await eventually(
    () => importOf(acme, id),
    (found) => (found["rows"] as number) > 0,
  );
  const second = await send(acme, id, FILE);
  assert.equal(second.status, 409);
  const wait_s = Number(second.headers.get("retry-after"));
  assert.ok(wait_s >= 1 && wait_s <= 15, `${wait_s} s`);
  const closed = own.app.close();
  const { status, headers, text } = await sending.answered;
  sending.end();
  assert.equal(status, 503, text);
  assert.ok(Number(headers["retry-after"]) > 0);
  await closed;
  assert.equal((await importOf(acme, id)).state, "interrupted");
  const again = await send(acme, id, FILE);
  assert.equal(again.body["created"], ROWS, again.text);
  const [found] = await api.sql`
      select count(*)::int as records from leads where tenant_id = ${acme.tenantId}`;
  assert.equal(found?.["records"], ROWS);
});
