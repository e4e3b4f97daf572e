/** What an installation can allow for outgoing requests: only hosts, addresses and ranges. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createGate, isAllowEntry } from "../../src/platform/outgoing/outgoing-gate.ts";
import { createOutgoing, OutgoingError, urlFault } from "../../src/platform/outgoing/outgoing.ts";
import { startNameServer } from "./name-server.ts";
import { answer, answering, startReceiver } from "./receiver.ts";
import { atEnd } from "../kit/started.ts";

const OPEN = undefined;
const REFUSED = /which is blocked/;
const NEEDS_TLS = /must start with https/;
const ALLOW = [
  "localhost",
  "hooks.internal.example",
  "127.0.0.0/8",
  "10.1.0.0/16",
  "fd12::/32",
  "::1",
];

const CASES: readonly (readonly [url: string, expected: RegExp | undefined])[] = [
  ["http://localhost:3000/", OPEN],
  ["https://localhost/", OPEN],
  ["http://LOCALHOST./", OPEN],
  ["http://hooks.internal.example/", OPEN],
  ["http://Hooks.Internal.Example./", OPEN],
  ["http://sub.hooks.internal.example/", NEEDS_TLS],
  ["http://internal.example/", NEEDS_TLS],
  ["http://db.localhost/", NEEDS_TLS],
  ["https://db.localhost/", REFUSED],
  ["http://127.0.0.1:3000/", OPEN],
  ["http://127.1/", OPEN],
  ["http://2130706433/", OPEN],
  ["http://10.1.255.255/", OPEN],
  ["http://10.2.0.0/", NEEDS_TLS],
  ["https://10.2.0.0/", REFUSED],
  ["https://10.0.255.255/", REFUSED],
  ["http://[fd12::1]/", OPEN],
  ["https://[fd13::1]/", REFUSED],
  ["http://[::1]/", OPEN],
  // An IPv4 address embedded in an IPv6 address is a different address and is not on the allowlist.
  ["https://[::ffff:127.0.0.1]/", REFUSED],
  ["https://[64:ff9b::a01:1]/", REFUSED],
  ["https://hooks.example.com/", OPEN],
  ["http://hooks.example.com/", NEEDS_TLS],
  ["http://user@localhost/", /not contain a user name/],
  ["ftp://localhost/", /must look like/],
];
for (const [url, expected] of CASES) {
  test(`with ${ALLOW.join(", ")} ${url} is ${expected?.source ?? "open"}`, () => {
    const fault = urlFault(url, { allow: ALLOW });
    if (expected === undefined) assert.equal(fault, undefined);
    else assert.match(fault ?? "", expected);
  });
}

test("a range of one family allows nothing of the other", () => {
  const gate = createGate(["::/0"]);
  assert.equal(gate.refusal("127.0.0.1"), "a loopback address");
  assert.equal(gate.refusal("::1"), undefined);
  assert.equal(createGate(["0.0.0.0/0"]).refusal("::ffff:127.0.0.1")?.includes("IPv4"), true);
});

for (const entry of [
  "",
  "a b",
  "http://localhost",
  "localhost:80",
  "10.0.0.0/33",
  "10.0.0.0/8/8",
]) {
  test(`${JSON.stringify(entry)} allows nothing and is no entry`, () => {
    assert.equal(isAllowEntry(entry), false);
    assert.throws(() => createOutgoing({ allow: [entry] }), /Not a host name, address or range/);
  });
}
for (const entry of [
  "0x7f.1",
  "127.1",
  "2130706433",
  "::1%lo",
  "::/129",
  "/8",
  "LOCALHOST",
  "a.",
]) {
  test(`${entry} is no entry: a URL would spell it otherwise`, () =>
    assert.equal(isAllowEntry(entry), false));
}

/** Returns the status of a response, or the fault if the request failed. */
async function ending(send: Promise<{ readonly status: number }>): Promise<number | string> {
  return await send.then(
    ({ status }) => status,
    (error: unknown) => (error instanceof OutgoingError ? error.fault : String(error)),
  );
}

test("a named host is resolved as the machine does, by http; a named address under any name, by https", async (t) => {
  const { port, connections } = await startReceiver(t, answering(answer("200 OK")));
  const server = await startNameServer(t, () => ["127.0.0.1"]);
  const post = async (
    host: string,
    allow: readonly string[],
    { scheme = "http", ...limits }: { scheme?: string; connectTimeout_s?: number } = {},
  ) => {
    const door = createOutgoing({ allow, nameServers: [server.address], ...limits });
    atEnd(t, () => door.close());
    const url = `${scheme}://${host}:${port}/`;
    return await ending(door.send({ url, method: "POST", headers: {}, body: "", timeout_s: 30 }));
  };
  assert.equal(await post("localhost", ["localhost"]), 200);
  assert.equal(await post("127.0.0.1", ["127.0.0.1"]), 200);
  assert.deepEqual(server.questions, []);
  assert.equal(connections.length, 2);
  assert.equal(await post("hooks.example.com", ["127.0.0.1"]), "bad_url");
  assert.equal(
    await post("hooks.example.com", ["127.0.0.2"], { scheme: "https" }),
    "refused_address",
  );
  assert.equal(connections.length, 2);
  // The connection opens, but the receiver does not speak TLS.
  const tls = { scheme: "https", connectTimeout_s: 1 };
  assert.equal(await post("hooks.example.com", ["127.0.0.1"], tls), "timeout");
  assert.equal(connections.length, 3);
});
