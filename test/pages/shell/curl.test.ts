/** Requests copied as curl: a shell that runs the command sends the original request. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import { curlOf, maskedNames, type CurlRequest } from "../../../console/src/deliveries/curl.ts";
import { indentJson } from "../../../console/src/deliveries/indent-json.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import { file } from "../../kit/file-api.ts";

const run = promisify(execFile);
const receiver = await startReceiver(file);
const TYPE = { "content-type": "application/json" };

/** Runs a command as if it were pasted into a shell. Returns the request that the server received. */
async function pasted(request: CurlRequest) {
  const command = curlOf(request).replace(/^(.*\| )?curl /s, "$1curl --silent --show-error ");
  const count = receiver.received.length;
  await run("sh", ["-c", command]);
  assert.equal(receiver.received.length, count + 1, command);
  return receiver.received.at(-1) ?? assert.fail();
}

const BODIES: readonly string[] = [
  '{"name":"Ada"}',
  '{\n  "name": "O\'Brien\\n"\n}\n',
  "@/etc/hostname",
  "$(id) `id` $HOME !! \\ %s %% \\n",
  "a\tb\r\n\u0007\u007f",
  "null\0byte",
  "\uFEFFétude 👩‍👩‍👧 \u2028",
  "'",
  "-d @-",
  "--boundary\r\n\r\n--boundary--\r\n",
  "",
  "x".repeat(65_536),
];

test("any body arrives as it was sent", async () => {
  for (const body of BODIES) {
    const got = await pasted({ method: "POST", url: receiver.url, headers: TYPE, body });
    assert.equal(got.body, body, JSON.stringify(body.slice(0, 80)));
    assert.equal(got.headers["content-type"], "application/json");
  }
});

test("any text arrives as it was sent", async () => {
  const text = fc.string({ unit: "binary", maxLength: 200 }).filter((body) => body.isWellFormed());
  const arrives = fc.asyncProperty(text, async (body) => {
    const got = await pasted({ method: "PUT", url: receiver.url, headers: TYPE, body });
    assert.equal(got.body, body);
  });
  await fc.assert(arrives, { numRuns: 15 });
});

test("headers, URL and body match the request, and secrets are placeholders", async () => {
  const headers = {
    ...TYPE,
    "x-quoted": `it's "so" $HOME`,
    "x-empty": "",
    authorization: "***",
    "webhook-id": "6b018f14a2c1d000c1d3f7a1",
  };
  const url = `${receiver.url}/in?a[]=1&b={2,3}&c='d'`;
  const request = { method: "PUT", url, headers, body: "{}" };
  const got = await pasted(request);
  assert.equal(got.path, "/in?a[]=1&b={2,3}&c='d'");
  assert.equal(got.headers["x-quoted"], headers["x-quoted"]);
  assert.equal(got.headers["x-empty"], "");
  assert.equal(got.headers["authorization"], "<authorization>");
  assert.equal(got.headers["webhook-id"], headers["webhook-id"]);
  assert.deepEqual(maskedNames(request), ["authorization"]);
});

test("no body and no content type are added", async () => {
  const bare = await pasted({ method: "POST", url: receiver.url, headers: {}, body: null });
  assert.deepEqual([bare.body, bare.headers["content-type"]], ["", undefined]);
  const untyped = await pasted({ method: "POST", url: receiver.url, headers: {}, body: "x" });
  assert.deepEqual([untyped.body, untyped.headers["content-type"]], ["x", undefined]);
});

test("indented JSON keeps every value as it was written", () => {
  const text = String.raw`{"a":1.10,"b":[],"c":{},"d":[1,{"e":"x,{}[]: \"\\"}],"f":12345678901234567890}`;
  assert.equal(
    indentJson(text),
    String.raw`{
  "a": 1.10,
  "b": [],
  "c": {},
  "d": [
    1,
    {
      "e": "x,{}[]: \"\\"
    }
  ],
  "f": 12345678901234567890
}`,
  );
  const json = fc.json({ maxDepth: 4 }).filter((value) => /^\s*[[{]/.test(value));
  fc.assert(
    fc.property(json, (value) => {
      const lines = indentJson(value) ?? assert.fail();
      assert.deepEqual(JSON.parse(lines), JSON.parse(value));
    }),
  );
  for (const other of ["", "5", '"x"', "<xml/>", "{", "a=1&b=2", "[1,]"]) {
    assert.equal(indentJson(other), undefined, other);
  }
});
