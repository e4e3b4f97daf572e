/**
 * Addresses that outgoing requests cannot reach: every forbidden range, returned by a real name server or written in a
 * URL, and host names that resolve to a different address later (DNS rebinding).
 */

import assert from "node:assert/strict";
import { Resolver } from "node:dns/promises";
import { test, type TestContext } from "node:test";
import { createGate } from "../../src/platform/outgoing/outgoing-gate.ts";
import {
  createConnector,
  createOutgoing,
  OutgoingError,
  urlFault,
} from "../../src/platform/outgoing/outgoing.ts";
import { REFUSED_ADDRESSES } from "../../src/platform/outgoing/refused-addresses.ts";
import { startNameServer, type Answer } from "./name-server.ts";
import { eventually } from "../kit/eventually.ts";
import { withoutOpenssl } from "../kit/openssl.ts";
import {
  answer,
  answering,
  makeCertificate,
  startReceiver,
  trust,
  type Reaction,
} from "./receiver.ts";
import { atEnd } from "../kit/started.ts";

const NAME = "hooks.example.com";

async function startDoor(t: TestContext, meaning: Answer, allow: readonly string[] = []) {
  const server = await startNameServer(t, meaning);
  const door = createOutgoing({ allow, nameServers: [server.address] });
  atEnd(t, () => door.close());
  const send = (url: string) =>
    door.send({ url, method: "POST", headers: {}, body: "{}", timeout_s: 5 });
  return { ...server, send };
}

/** Starts a receiver whose certificate for NAME this process trusts. */
async function startSecureReceiver(t: TestContext, react: Reaction) {
  const { authority, ...certificate } = makeCertificate(t, NAME);
  trust(t, authority);
  return await startReceiver(t, react, certificate);
}

const isRefused = (error: unknown) =>
  error instanceof OutgoingError && error.fault === "refused_address";

/** Forbidden ranges, each with its first and last address and some in between. */
const INSIDE: readonly (readonly [range: string, ...addresses: string[]])[] = [
  ["0.0.0.0/8", "0.0.0.0", "0.255.255.255"],
  ["10.0.0.0/8", "10.0.0.0", "10.255.255.255"],
  ["100.64.0.0/10", "100.64.0.0", "100.100.100.200", "100.127.255.255"],
  ["127.0.0.0/8", "127.0.0.1", "127.255.255.255"],
  ["169.254.0.0/16", "169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255"],
  ["168.63.129.16/32", "168.63.129.16"],
  ["172.16.0.0/12", "172.16.0.0", "172.31.255.255"],
  ["192.0.0.0/24", "192.0.0.0", "192.0.0.192", "192.0.0.255"],
  ["192.0.2.0/24", "192.0.2.0", "192.0.2.255"],
  ["192.88.99.0/24", "192.88.99.1", "192.88.99.255"],
  ["192.168.0.0/16", "192.168.0.0", "192.168.255.255"],
  ["198.18.0.0/15", "198.18.0.0", "198.19.255.255"],
  ["198.51.100.0/24", "198.51.100.0", "198.51.100.255"],
  ["203.0.113.0/24", "203.0.113.0", "203.0.113.255"],
  ["224.0.0.0/4", "224.0.0.1", "239.255.255.255"],
  ["255.255.255.255/32", "255.255.255.255"],
  ["240.0.0.0/4", "240.0.0.0", "255.255.255.254"],
  ["::/128", "::"],
  ["::1/128", "::1"],
  ["::/96", "::2", "::7f00:1", "::ffff:ffff"],
  ["::ffff:0:0/96", "::ffff:0.0.0.0", "::ffff:127.0.0.1", "::ffff:8.8.8.8"],
  ["::ffff:0:0:0/96", "::ffff:0:7f00:1"],
  ["64:ff9b::/96", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b::ffff:ffff"],
  ["64:ff9b:1::/48", "64:ff9b:1::a00:1", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::/64", "100::", "100::ffff:ffff:ffff:ffff"],
  ["2001::/32", "2001::1", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::/32", "2001:db8::1"],
  ["2001::/23", "2001:2::1", "2001:20::1", "2001:1ff:ffff::1"],
  ["2002::/16", "2002:7f00:1::1", "2002:808:808::1"],
  ["3fff::/20", "3fff::1", "3fff:fff:ffff::1"],
  ["fd00:ec2::254/128", "fd00:ec2::254"],
  ["fc00::/7", "fc00::1", "fd12:3456:789a::1", "fdff:ffff::1"],
  ["fe80::/10", "fe80::1", "febf:ffff::1"],
  ["fec0::/10", "fec0::1", "feff:ffff::1"],
  ["ff00::/8", "ff02::1", "ffff:ffff::1"],
  ["::/3", "200::1", "1fff:ffff::1"],
  ["4000::/2", "4000::1", "5f00::1", "7fff::1"],
  ["8000::/1", "8000::1", "fbff::1", "fe00::1"],
];

test("every forbidden range has a test", () =>
  assert.deepEqual(
    INSIDE.map(([range]) => range),
    REFUSED_ADDRESSES.map(([range]) => range),
  ));

for (const [[range, ...addresses], [, what]] of INSIDE.map(
  (row, at) => [row, REFUSED_ADDRESSES[at] ?? ["", ""]] as const,
)) {
  test(`a name that resolves into ${range} is rejected as ${what}`, async (t) => {
    for (const address of addresses) {
      const { send, questions } = await startDoor(t, () => [address]);
      await assert.rejects(send(`https://${NAME}/`), (error: unknown) => {
        assert.ok(error instanceof OutgoingError);
        assert.equal(error.fault, "refused_address", address);
        assert.equal(error.message, `${NAME} resolves to ${what}, which is blocked.`);
        return true;
      });
      assert.deepEqual(questions.toSorted(), [`A ${NAME}`, `AAAA ${NAME}`]);
    }
  });

  test(`a URL with an address in ${range} is rejected when it is saved and when it is sent`, async (t) => {
    const { send, questions } = await startDoor(t, () => undefined);
    for (const address of addresses) {
      const url = `https://${address.includes(":") ? `[${address}]` : address}:8443/hook`;
      assert.match(urlFault(url, { allow: [] }) ?? "", /which is blocked/, address);
      await assert.rejects(send(url), isRefused);
    }
    assert.deepEqual(questions, []);
  });
}

/** Addresses next to forbidden ranges, and addresses within reachable ranges. */
const REACHABLE = [
  "1.0.0.0",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.0",
  "192.0.3.0",
  "192.88.98.255",
  "192.88.100.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.255",
  "198.51.101.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
  "2000::1",
  "2001:200::1",
  "2001:db7::1",
  "2001:db9::1",
  "2003::1",
  "2606:4700::1111",
  "2a00:1450::1",
  "3ffe::1",
  "3fff:1000::1",
];
for (const address of REACHABLE) {
  test(`${address} may be reached`, () => {
    assert.equal(createGate([]).refusal(address), undefined);
    const url = `https://${address.includes(":") ? `[${address}]` : address}/`;
    assert.equal(urlFault(url, { allow: [] }), undefined);
  });
}

const NOT_SENT =
  /which is blocked(?:; to allow \S+, add it to the environment variable OUTGOING_ALLOW and restart the service)?$/;
/** Alternative notations of addresses and other tricks, each with the expected message. */
const URLS: readonly (readonly [url: string, RegExp])[] = [
  ["https://2130706433/", NOT_SENT],
  ["https://0x7f000001/", NOT_SENT],
  ["https://0x7f.0.0.1/", NOT_SENT],
  ["https://0177.0.0.1/", NOT_SENT],
  ["https://017700000001/", NOT_SENT],
  ["https://127.1/", NOT_SENT],
  ["https://10.65535/", NOT_SENT],
  ["https://0/", NOT_SENT],
  ["https://127.0.0.1./", NOT_SENT],
  ["https://127。0。0。1/", NOT_SENT],
  ["https://１２７.0.0.1/", NOT_SENT],
  ["https://%31%32%37.0.0.1/", NOT_SENT],
  ["https://169.254.169.254/latest/meta-data/", NOT_SENT],
  ["https://2852039166/", NOT_SENT],
  ["https://[::ffff:127.0.0.1]/", NOT_SENT],
  ["https://[::ffff:7f00:1]/", NOT_SENT],
  ["https://[0:0:0:0:0:0:0:1]/", NOT_SENT],
  ["https://localhost/", NOT_SENT],
  ["https://LOCALHOST./", NOT_SENT],
  ["https://db.localhost/", NOT_SENT],
  ["https://ⓛocalhost/", NOT_SENT],
  ["https://hooks.example.com@127.0.0.1/", /not contain a user name/],
  ["https://user:hush@hooks.example.com/", /not contain a user name/],
  ["https://@hooks.example.com/", /not contain a user name/],
  ["https://127.0.0.1#@hooks.example.com/", NOT_SENT],
  ["https://127.0.0.1\\@hooks.example.com/", /must look like/],
  ["https://hooks.example.com\t/", /must look like/],
  [" https://hooks.example.com/", /must look like/],
  ["https://hooks.example.com/a b", /must look like/],
  ["https://hooks.example.com/\r\nx: y", /must look like/],
  ["https:/hooks.example.com/", /must look like/],
  ["https:hooks.example.com/", /must look like/],
  ["https:///hooks.example.com/", /must look like/],
  ["//hooks.example.com/", /must look like/],
  ["hooks.example.com", /must look like/],
  ["", /must look like/],
  ["https://", /must look like/],
  ["https://999.1.1.1/", /must look like/],
  ["https://hooks.example.com:65536/", /must look like/],
  ["https://[fe80::1%25eth0]/", /must look like/],
  ["ftp://hooks.example.com/", /must look like/],
  ["file:///etc/passwd", /must look like/],
  ["gopher://127.0.0.1:25/", /must look like/],
  ["javascript:alert(1)", /must look like/],
  ["http://hooks.example.com/", /must start with https/],
  ["http://93.184.215.14/", /must start with https/],
  ["https://hooks..example.com/", /not a valid host name/],
  ["https://hooks.example.com../", /not a valid host name/],
  ["https://*.example.com/", /not a valid host name/],
];
for (const [url, fault] of URLS) {
  test(`${JSON.stringify(url)} is rejected: ${fault.source}`, async (t) => {
    assert.match(urlFault(url, { allow: [] }) ?? "", fault);
    const { send, questions } = await startDoor(t, () => undefined);
    await assert.rejects(send(url), (error: unknown) => {
      assert.ok(error instanceof OutgoingError);
      assert.equal(error.fault, fault === NOT_SENT ? "refused_address" : "bad_url");
      assert.doesNotMatch(error.message, /hush|meta-data|passwd/);
      return true;
    });
    assert.deepEqual(questions, []);
  });
}

const ALLOW_IT =
  " to allow <host>, add it to the environment variable OUTGOING_ALLOW and restart the service";
/**
 * The host that an error message suggests allowing. This machine and private hosts are suggested, but never metadata
 * addresses.
 */
const OFFERED: readonly (readonly [url: string, host: string | undefined])[] = [
  ["https://localhost/hook", "localhost"],
  ["http://localhost:3000/hook", "localhost"],
  ["http://db.localhost/", "db.localhost"],
  ["https://127.0.0.1:8443/", "127.0.0.1"],
  ["http://127.1/", "127.0.0.1"],
  ["https://[::1]/", "::1"],
  ["https://10.1.2.3/", "10.1.2.3"],
  ["http://192.168.1.20:8080/in", "192.168.1.20"],
  ["https://[fd12::1]/", "fd12::1"],
  ["https://169.254.169.254/", undefined],
  ["http://169.254.169.254/", undefined],
  ["https://[fd00:ec2::254]/", undefined],
  ["https://[fe80::1]/", undefined],
  ["https://0.0.0.0/", undefined],
  ["http://hooks.example.com/", undefined],
  ["ftp://localhost/", undefined],
];
const offersIn = (fault = ""): readonly string[] => fault.split(";").slice(1);

for (const [url, host] of OFFERED) {
  test(`the rejection of ${url} names the setting for ${host ?? "nothing"}`, () => {
    const offer = host === undefined ? [] : [ALLOW_IT.replace("<host>", host)];
    assert.deepEqual(offersIn(urlFault(url, { allow: [] })), offer);
    assert.deepEqual(offersIn(urlFault(url, { allow: [], by: "partner" })), []);
  });
}

for (const url of [
  "https://hooks.example.com",
  "https://Hooks.Example.COM:8443/a?b=c#d",
  "https://hooks.example.com./a@b",
  "https://bücher.example/",
  "https://_acme.hooks-1.example.com/",
  "https://crm/",
]) {
  test(`${url} can be sent to`, () => assert.equal(urlFault(url, { allow: [] }), undefined));
}

test("of a public address and a private one, no connection is made to either", async (t) => {
  const { send } = await startDoor(t, () => ["93.184.215.14", "10.0.0.1"]);
  await assert.rejects(send(`https://${NAME}/`), isRefused);
  const mixed = await startDoor(t, () => ["93.184.215.14", "fd00::1"]);
  await assert.rejects(mixed.send(`https://${NAME}/`), isRefused);
});

test("a name that was public at the check and is private at connect time is rejected", async (t) => {
  const { port, connections } = await startReceiver(t, answering(answer("200 OK")));
  let meaning = ["93.184.215.14"];
  const { send, address } = await startDoor(t, () => meaning);
  const earlier = new Resolver();
  earlier.setServers([address]);
  const [seen = ""] = await earlier.resolve4(NAME);
  assert.equal(createGate([]).refusal(seen), undefined);
  meaning = ["127.0.0.1"];
  await assert.rejects(send(`https://${NAME}:${port}/`), isRefused);
  assert.deepEqual(connections, []);
});

test(
  "a name that changes its meaning is looked up and checked for every new connection",
  { skip: withoutOpenssl },
  async (t) => {
    const { port, connections } = await startSecureReceiver(t, (socket) => {
      socket.end(answer("200 OK", "", ["Connection: close"]));
    });
    let meaning = ["127.0.0.1"];
    // 127.0.0.1 is treated as a public address, because tests contact no other machine.
    const { send, questions } = await startDoor(t, () => meaning, ["127.0.0.1"]);
    const url = `https://${NAME}:${port}/`;
    assert.equal((await send(url)).status, 200);
    assert.equal(questions.length, 2);
    meaning = ["127.0.0.2"];
    await assert.rejects(send(url), isRefused);
    assert.equal(questions.length, 4);
    assert.equal(connections.length, 1);
  },
);

test(
  "connections are made to the checked addresses: there is no second lookup",
  { skip: withoutOpenssl },
  async (t) => {
    const { port, connections } = await startSecureReceiver(t, answering(answer("200 OK")));
    let asked = 0;
    // Simulates DNS rebinding: the first response for each address type is public, and all later ones are private.
    const meaning = () => (++asked > 2 ? ["127.0.0.2"] : ["127.0.0.1"]);
    const { send } = await startDoor(t, meaning, ["127.0.0.1"]);
    assert.equal((await send(`https://${NAME}:${port}/`)).status, 200);
    assert.equal(asked, 2);
    assert.equal(connections.length, 1);
  },
);

/** Connects with a lookup that returns 127.0.0.1 for every host. */
function connectLied(t: TestContext, url: URL, allow: readonly string[] = []) {
  const connect = createConnector({
    gate: createGate(allow),
    timeout_s: 5,
    lookup: (_, { all }, callback) =>
      all === true
        ? callback(null, [{ address: "127.0.0.1", family: 4 }])
        : callback(null, "127.0.0.1", 4),
  });
  const { hostname, host, protocol, port } = url;
  return new Promise<Error | undefined>((resolve) => {
    connect({ hostname, host, protocol, port }, (error, socket) => {
      if (socket !== null) atEnd(t, () => socket.destroy());
      resolve(error ?? undefined);
    });
  });
}

test("the address at the other end of a connection is checked, whatever the lookup allowed", async (t) => {
  const { port, connections } = await startReceiver(t, answering(answer("200 OK")));
  for (const host of [NAME, "127.0.0.1"]) {
    const error = await connectLied(t, new URL(`http://${host}:${port}`));
    assert.ok(isRefused(error), host);
  }
  // The receiver may accept a connection after its client has closed it.
  await eventually(() => connections.length === 2);
  assert.deepEqual(
    connections.map(({ text }) => text),
    ["", ""],
  );
  const allowed = await connectLied(t, new URL(`http://${NAME}:${port}`), ["127.0.0.0/8"]);
  assert.equal(allowed, undefined);
});
