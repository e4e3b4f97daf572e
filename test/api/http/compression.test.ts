/**
 * COMPRESSION=on: which responses are compressed, and for which clients. Features that depend on a response's bytes
 * must still work.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { fileApi } from "../../kit/file-api.ts";
import { newKey } from "../keys/keyed-samples.ts";
import { startOwnApp } from "../own-app.ts";
import { recordsIn } from "../samples.ts";
import { file } from "../../kit/started.ts";

const RECORDS = 400;
const api = await fileApi();
const acme = await api.tenant();
const items = Array.from({ length: RECORDS }, (_, at) => ({
  name: `Lead ${at}`,
  comments: newKey().repeat(20),
}));
const made = await acme.post("/crm/leads/batch", { items });
const [{ _id }] = made.body as [{ _id: string }];
const app = await startOwnApp(file, { url: api.databaseUrl, compression: true });

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly url?: string;
}

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly isBroken: boolean;
}

/** Opens a response and reads it as it arrives, starting with the first byte. */
async function open(
  path: string,
  encoding: string | undefined,
  { method = "GET", headers = {}, body, url = app.url }: Asked = {},
): Promise<IncomingMessage> {
  const sent = request(url + path, {
    method,
    headers: {
      authorization: `Bearer ${acme.bearer}`,
      ...(encoding !== undefined && { "accept-encoding": encoding }),
      ...headers,
    },
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

async function ask(path: string, encoding: string | undefined, asked: Asked = {}): Promise<Got> {
  return readAll(await open(path, encoding, asked));
}

async function readAll(answer: IncomingMessage): Promise<Got> {
  const { statusCode: status, headers } = answer;
  const chunks: Buffer[] = [];
  let isBroken = false;
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
  } catch {
    isBroken = true;
  }
  return { status, headers, bytes: Buffer.concat(chunks), isBroken };
}

const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zlib.zstdDecompressSync,
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
};
const encodingOf = ({ headers }: Got): string | undefined => headers["content-encoding"];
const unpacked = (got: Got): string =>
  (UNPACK[encodingOf(got) ?? ""]?.(got.bytes) ?? got.bytes).toString();

const PAGES = {
  "a page": "/crm/leads?page_size=50",
  "a page that is packed piece by piece": `/crm/leads?page_size=${RECORDS}`,
  "a window": "/crm/leads/created",
};

for (const [what, path] of Object.entries(PAGES)) {
  test(`${what} is compressed in each encoding that the client accepts, and decompresses to the same bytes`, async () => {
    const plain = await ask(path, undefined);
    assert.equal(encodingOf(plain), undefined);
    for (const encoding of Object.keys(UNPACK)) {
      const got = await ask(path, encoding);
      assert.deepEqual([got.status, encodingOf(got)], [200, encoding]);
      assert.equal(got.headers.vary, "accept-encoding");
      assert.equal(got.headers["content-type"], plain.headers["content-type"]);
      assert.equal(unpacked(got), plain.bytes.toString());
      assert.ok(got.bytes.length < plain.bytes.length / 2, `${got.bytes.length}`);
      const length = got.headers["content-length"];
      if (length !== undefined) assert.equal(Number(length), got.bytes.length);
    }
  });
}

const WISHES: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, undefined],
  ["identity", undefined],
  ["deflate", undefined],
  ["gzip;q=0", undefined],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, zstd", "zstd"],
  ["gzip, br;q=0", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
];

test("the best encoding that a client accepts is used, and no other", async () => {
  for (const [wish, encoding] of WISHES) {
    assert.equal(encodingOf(await ask(PAGES["a page"], wish)), encoding, wish);
  }
});

test("without the setting nothing is compressed", async () => {
  const got = await ask(PAGES["a page"], "gzip", { url: api.url });
  assert.deepEqual([encodingOf(got), got.headers.vary], [undefined, undefined]);
});

test("a single record is not compressed, and keeps its ETag and its 304", async () => {
  const path = `/crm/leads/${_id}`;
  const got = await ask(path, "gzip");
  assert.deepEqual([got.status, encodingOf(got), got.headers.etag], [200, undefined, '"v1"']);
  assert.ok(got.bytes.length > 1024);
  const again = await ask(path, "gzip", { headers: { "if-none-match": '"v1"' } });
  assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, '"v1"']);
});

test("HEAD returns the headers of GET without a body", async () => {
  const [got, head] = await Promise.all([
    ask(PAGES["a page"], "gzip"),
    ask(PAGES["a page"], "gzip", { method: "HEAD" }),
  ]);
  assert.deepEqual([head.status, head.bytes.length, head.isBroken], [200, 0, false]);
  assert.equal(head.headers["content-type"], got.headers["content-type"]);
  assert.equal(head.headers.link, got.headers.link);
  assert.equal(head.headers["content-length"], undefined);
  const plain = await ask(PAGES["a page"], undefined, { method: "HEAD" });
  const { bytes } = await ask(PAGES["a page"], undefined);
  assert.equal(Number(plain.headers["content-length"]), bytes.length);
});

test("ranges are not supported, compressed or not: the whole body is returned", async () => {
  const got = await ask(PAGES["a page"], "gzip", { headers: { range: "bytes=0-99" } });
  assert.deepEqual([got.status, encodingOf(got)], [200, "gzip"]);
  assert.equal(recordsIn({ body: JSON.parse(unpacked(got)) } as never).length, 50);
});

test("a replayed response is compressed as its own request asks, whatever the first one asked", async () => {
  const batch = {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": newKey() },
    body: JSON.stringify({ items: items.slice(0, 30) }),
  };
  const first = await ask("/crm/leads/batch", "gzip", batch);
  const repeats = [
    await ask("/crm/leads/batch", undefined, batch),
    await ask("/crm/leads/batch", "br", batch),
  ];
  assert.deepEqual([first, ...repeats].map(encodingOf), ["gzip", undefined, "br"]);
  for (const repeat of repeats) {
    assert.equal(repeat.status, 207);
    assert.equal(repeat.headers["idempotency-replayed"], "true");
    assert.equal(unpacked(repeat), unpacked(first));
  }
});

test("a stream of changes arrives at once and uncompressed; small responses are not compressed", async () => {
  const stream = await open("/crm/changes/stream", "gzip");
  assert.match(String(stream.headers["content-type"]), /^text\/event-stream/);
  assert.equal(stream.headers["content-encoding"], undefined);
  await once(stream, "data");
  stream.destroy();
  const none = await ask(`/crm/leads/${"0".repeat(24)}`, "gzip");
  assert.deepEqual([none.status, encodingOf(none)], [404, undefined]);
});

test("bodies of requests are read as before: a compressed one is not decompressed", async () => {
  const sent = {
    method: "POST",
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: zlib.gzipSync('{"name":"Bo"}'),
  };
  const [packing, plain] = await Promise.all([
    ask("/crm/leads", "gzip", sent),
    ask("/crm/leads", undefined, { ...sent, url: api.url }),
  ]);
  assert.equal(packing.status, plain.status);
  assert.notEqual(packing.status, 200);
  assert.equal(unpacked(packing), plain.bytes.toString());
});

test("a window that fails midway is cut off, and cannot be decompressed to the end", async () => {
  const other = await api.tenant();
  const rich = { name: "Rich", comments: newKey().repeat(400) };
  const wealth = Array.from({ length: 500 }, (_, at) => ({ ...rich, name: `Rich ${at}` }));
  const ids: string[] = [];
  for (const status of [207, 207, 207]) {
    const batch = await other.post("/crm/leads/batch", { items: wealth });
    assert.equal(batch.status, status);
    ids.push(batch.body[0]._id);
  }
  const headers = { authorization: `Bearer ${other.bearer}` };
  const columns = await api.sql`
    select column_name as name from information_schema.columns where table_name = 'leads'`;
  // The oldest record cannot be read. It is the last one of the window, so most of the window has been read before.
  const shown = columns.map(({ name }) =>
    name === "body"
      ? `case id when '${ids[0]}' then to_json(version / 0) else body end as body`
      : String(name),
  );
  await api.sql.unsafe(`
    alter table leads rename to stored_leads;
    create view leads as select ${shown.join(", ")} from stored_leads`);
  try {
    const got = await ask("/crm/leads/created", "gzip", { headers });
    assert.deepEqual([got.status, encodingOf(got)], [200, "gzip"]);
    assert.ok(got.isBroken);
    assert.throws(() => zlib.gunzipSync(got.bytes));
  } finally {
    await api.sql.unsafe("drop view leads; alter table stored_leads rename to leads");
  }
});
