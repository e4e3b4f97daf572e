/** Outgoing requests to receivers that respond correctly, incorrectly, slowly, or not at all. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import {
  createOutgoing,
  OutgoingError,
  type OutgoingFault,
  type OutgoingOptions,
  type OutgoingRequest,
} from "../../src/platform/outgoing/outgoing.ts";
import { startNameServer } from "./name-server.ts";
import { withoutOpenssl } from "../kit/openssl.ts";
import {
  answer,
  answering,
  makeCertificate,
  startReceiver,
  trust,
  type Reaction,
} from "./receiver.ts";
import { eventually } from "../kit/eventually.ts";
import { listening, atEnd } from "../kit/started.ts";
import { runsOf } from "../kit/long.ts";

const NAME = "hooks.example.com";
/** The limit for requests that must not time out. */
const PATIENT_s = 60;

function startDoor(t: TestContext, options: Partial<OutgoingOptions> = {}) {
  const door = createOutgoing({ allow: ["127.0.0.1"], ...options });
  atEnd(t, () => door.close());
  return {
    close: door.close,
    send: (url: string, request: Partial<OutgoingRequest> = {}) =>
      door.send({ url, method: "POST", headers: {}, body: "{}", timeout_s: PATIENT_s, ...request }),
  };
}

/**
 * Starts a receiver with this behavior and a client that may reach it. `post` sends a request from the client to the
 * receiver.
 */
async function startBoth(t: TestContext, react: Reaction, options: Partial<OutgoingOptions> = {}) {
  const receiver = await startReceiver(t, react);
  const door = startDoor(t, options);
  const url = `http://127.0.0.1:${receiver.port}/hook?a=1`;
  return { ...door, ...receiver, url, post: (request = {}) => door.send(url, request) };
}

/** Asserts that a request fails with this fault and message. The message shows which time limit applied. */
async function breaks(
  sending: Promise<unknown>,
  fault: OutgoingFault,
  { sentence }: { readonly sentence: RegExp },
): Promise<void> {
  await assert.rejects(sending, (error: unknown) => {
    assert.ok(error instanceof OutgoingError, String(error));
    assert.deepEqual([error.fault, sentence.test(error.message)], [fault, true], error.message);
    return true;
  });
}

test("a request arrives as it was given, with its length and host", async (t) => {
  const { post, connections, port } = await startBoth(t, answering(answer("200 OK", "taken")));
  const body = JSON.stringify({ name: "Zoë 😀" });
  const headers = { "content-type": "application/json", "X-Key": "abc" };
  const { status, body: read, isCut } = await post({ method: "PUT", headers, body });
  assert.deepEqual([status, read.toString(), isCut], [200, "taken", false]);
  const [line, ...rest] = (connections[0]?.text ?? "").split("\r\n");
  assert.equal(line, "PUT /hook?a=1 HTTP/1.1");
  assert.deepEqual(
    rest
      .slice(0, -2)
      .map((text) => text.toLowerCase())
      .toSorted(),
    [
      "connection: keep-alive",
      `content-length: ${Buffer.byteLength(body)}`,
      "content-type: application/json",
      `host: 127.0.0.1:${port}`,
      "x-key: abc",
    ],
  );
  assert.equal(rest.at(-1), Buffer.from(body).toString("latin1"));
});

for (const status of [200, 204, 301, 302, 307, 308, 400, 410, 429, 500, 503]) {
  test(`${status} is a response, and nothing follows it`, async (t) => {
    const other = await startReceiver(t, answering(answer("200 OK")));
    const headers = [`Location: http://127.0.0.1:${other.port}/`, "Retry-After: 7"];
    const reply = status === 204 ? "HTTP/1.1 204 X\r\n\r\n" : answer(`${status} X`, "x", headers);
    const { post, connections } = await startBoth(t, answering(reply));
    const { status: got, headers: told, isCut } = await post();
    assert.deepEqual([got, isCut], [status, false]);
    assert.equal(told["retry-after"], status === 204 ? undefined : "7");
    assert.deepEqual([connections.length, other.connections.length], [1, 0]);
  });
}

test("headers that come twice are joined, whatever their name", async (t) => {
  const headers = ["X-A: 1", "x-a: 2", "__proto__: 3"];
  const { post } = await startBoth(t, answering(answer("200 OK", "", headers)));
  const { headers: told } = await post();
  assert.equal(told["x-a"], "1, 2");
  assert.equal(Object.getOwnPropertyDescriptor(told, "__proto__")?.value, "3");
});

test("a response in chunks is read, and one that ends with the connection", async (t) => {
  const chunks =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  const chunked = await startBoth(t, answering(chunks));
  assert.equal((await chunked.post()).body.toString(), "abcde");
  const ended = await startBoth(t, (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nabc"));
  assert.equal((await ended.post()).body.toString(), "abc");
});

test("a compressed response stays compressed", async (t) => {
  const packed = gzipSync("a".repeat(1_000_000));
  const { post } = await startBoth(t, (socket) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}`;
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), packed]));
  });
  const { body, headers } = await post();
  assert.deepEqual(body, packed);
  assert.equal(headers["content-encoding"], "gzip");
});

for (const [bytes, isCut] of [
  [65_535, false],
  [65_536, false],
  [65_537, true],
] as const) {
  test(`a response of  ${bytes} bytes is ${isCut ? "cut" : "whole"}`, async (t) => {
    const { post } = await startBoth(t, answering(answer("200 OK", "x".repeat(bytes))));
    const read = await post();
    assert.deepEqual([read.body.length, read.isCut], [Math.min(bytes, 65_536), isCut]);
  });
}

test("of 10 MB 64 KiB are read, and the connection is closed before the rest is sent", async (t) => {
  const chunk = Buffer.alloc(65_536, "x");
  const size = 10_000_000;
  let taken = 0;
  const { post, connections } = await startBoth(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    const pour = (error?: Error | null): void => {
      if (error) return;
      taken += chunk.length;
      if (taken < size) socket.write(chunk, pour);
    };
    socket.write(chunk, pour);
  });
  const { status, body, isCut } = await post();
  assert.deepEqual([status, body.length, isCut], [200, 65_536, true]);
  await eventually(() => connections[0]?.isClosed === true);
  assert.ok(taken < size, `${taken} bytes`);
});

test("an endless response is cut as well", async (t) => {
  const { post, connections } = await startBoth(t, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const more = () => void (socket.writable && socket.write(`1000\r\n${"x".repeat(4096)}\r\n`));
    const timer = setInterval(more, 1);
    socket.on("close", () => clearInterval(timer));
  });
  assert.equal((await post()).isCut, true);
  await eventually(() => connections[0]?.isClosed === true);
});

const reset: Reaction = (socket) => socket.resetAndDestroy();
const BROKEN: readonly (readonly [title: string, Reaction, RegExp])[] = [
  [
    "a connection that is closed without a response",
    (socket) => socket.end(),
    /closed the connection/,
  ],
  ["a connection that is reset", reset, /closed the connection/],
  [
    "half a body",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
    /closed the connection|invalid HTTP/,
  ],
  [
    "half a body in chunks",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
    /closed the connection|invalid HTTP/,
  ],
  [
    "half a body and a reset",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", () => {
        setTimeout(() => socket.resetAndDestroy(), 50);
      });
    },
    /closed the connection/,
  ],
  [
    "what is not HTTP",
    answering("220 mail.example.com ESMTP\r\n"),
    /sent an invalid HTTP\/1\.1 response/,
  ],
  [
    "two lengths",
    answering("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    /sent an invalid HTTP\/1\.1 response/,
  ],
  [
    "another protocol than was asked for",
    answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    /closed the connection|invalid HTTP/,
  ],
  [
    "headers of more than 16 KiB",
    answering(answer("200 OK", "", [`X-Long: ${"x".repeat(17_000)}`])),
    /larger than 16 KiB/,
  ],
];
for (const [title, react, sentence] of BROKEN) {
  test(`${title} is a broken connection`, async (t) => {
    const { post } = await startBoth(t, react);
    await breaks(post(), "connection", { sentence });
  });
}

test("a receiver that closes every connection is a broken connection each time", async (t) => {
  const server = createServer((socket) => void socket.resetAndDestroy());
  const port = await listening(t, server);
  const { send } = startDoor(t);
  for (let at = 0; at < 50; at++) {
    await breaks(send(`http://127.0.0.1:${port}/`), "connection", {
      sentence: /closed the connection|connect/,
    });
  }
});

test("without a listener there is no connection", async (t) => {
  const { send } = startDoor(t);
  const sentence = /Could not connect to 127\.0\.0\.1 \(ECONNREFUSED\)/;
  await breaks(send("http://127.0.0.1:1/"), "connection", { sentence });
});

/** Parts of valid and invalid responses. */
const PIECES = [
  "HTTP/1.1",
  "HTTP/2",
  "HTTP/1.0",
  " ",
  "200",
  "101",
  "100",
  "999",
  "-1",
  "OK",
  "\r\n",
  "\n",
  "\r\n\r\n",
  "\0",
  "é",
  ":",
  "Content-Length: 5",
  "Content-Length: -5",
  "body",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: x",
  "Connection: upgrade",
  "Upgrade: h2c",
  "5\r\nabcde\r\n",
  "fffffffffffffffff\r\n",
  "0\r\n\r\n",
  "HTTP/1.1 200 OK\r\n",
];
test("whatever is returned is a response or a broken connection", async (t) => {
  let reply = "";
  const { post } = await startBoth(t, (socket) => socket.end(reply));
  const replies = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(replies, async (pieces) => {
      reply = pieces.join("");
      const end = await post().catch((error: unknown) => error);
      if (end instanceof Error) assert.ok(end instanceof OutgoingError, String(end));
    }),
    { numRuns: runsOf(500), examples: [[["HTTP/1.1 200 OK\r\n", "\r\n"]]] },
  );
});

const SLOW: readonly (readonly [title: string, Reaction])[] = [
  ["a receiver that never responds", () => undefined],
  [
    "headers that drip",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX: ");
      const timer = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(timer));
    },
  ],
  [
    "a body that drips without a pause",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(timer));
    },
  ],
];
for (const [title, react] of SLOW) {
  test(`${title} ends with the time of the whole request, and its connection with it`, async (t) => {
    const { post, connections } = await startBoth(t, react);
    const sentence = /^127\.0\.0\.1 did not respond within 1 s\.$/;
    await breaks(post({ timeout_s: 1 }), "timeout", { sentence });
    await eventually(() => connections[0]?.isClosed === true);
  });
}

test("a body that pauses ends before the time of the whole request", async (t) => {
  const pausing = answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  const { post, connections } = await startBoth(t, pausing, { idleTimeout_s: 1 });
  const sentence = /paused for too long/;
  await breaks(post({ timeout_s: 20 }), "timeout", { sentence });
  await eventually(() => connections[0]?.isClosed === true);
});

test("a response that takes longer than a body may pause is waited for", async (t) => {
  const { post } = await startBoth(
    t,
    (socket) => void setTimeout(() => socket.write(answer("200 OK")), 2500),
    { idleTimeout_s: 1 },
  );
  assert.equal((await post({ timeout_s: 30 })).status, 200);
});

test("a name server that is silent uses the request's time and no more, and nothing is sent later", async (t) => {
  let isSilent = true;
  const { port, connections } = await startReceiver(t, answering(answer("200 OK")));
  const server = await startNameServer(t, () => (isSilent ? undefined : ["127.0.0.1"]));
  const { send } = startDoor(t, { nameServers: [server.address] });
  const sending = send(`https://${NAME}:${port}/`, { timeout_s: 1 });
  await breaks(sending, "timeout", { sentence: /did not respond within 1 s/ });
  // The lookup is retried after 2 s and succeeds.
  isSilent = false;
  await eventually(() => server.questions.length > 2);
  await sleep(1000);
  assert.deepEqual(
    connections.filter(({ text }) => text.includes("POST")),
    [],
  );
});

test("connecting has a separate time limit", async (t) => {
  // This receiver accepts connections and never sends a byte of TLS.
  const { port } = await startReceiver(t, () => undefined);
  const { send } = startDoor(t, { connectTimeout_s: 1 });
  const sentence = /^Connecting to 127\.0\.0\.1 took too long\.$/;
  const sending = send(`https://127.0.0.1:${port}/`, { timeout_s: 20 });
  await breaks(sending, "timeout", { sentence });
});

test("a name without an address is unresolved", async (t) => {
  const server = await startNameServer(t, () => []);
  const { send } = startDoor(t, { nameServers: [server.address] });
  const sentence = /^No allowed address was found for hooks\.example\.com\.$/;
  await breaks(send(`https://${NAME}/?key=hush`), "unresolved", { sentence });
});

test("a connection is used again for the same origin, and not for another", async (t) => {
  const { post, send, connections, port } = await startBoth(t, answering(answer("200 OK")), {
    allow: ["127.0.0.0/8", "localhost"],
  });
  for (let at = 0; at < 10; at++) await post();
  // A second connection may be opened while the first one is still being returned to the pool.
  const before = connections.length;
  assert.ok(before <= 2, `${before} connections`);
  await send(`http://localhost:${port}/`);
  assert.equal(connections.length, before + 1);
});

test("concurrent requests use a connection each: none waits for another's response", async (t) => {
  const { post, connections } = await startBoth(t, (socket, request) => {
    if (!request.includes("x-slow")) socket.write(answer("200 OK"));
  });
  let isOver = false;
  const slow = assert
    .rejects(post({ headers: { "x-slow": "1" }, timeout_s: 20 }))
    .finally(() => (isOver = true));
  await Promise.all([post(), post(), post()]);
  assert.equal(isOver, false);
  assert.ok(connections.length >= 2);
  await slow;
});

test("closing ends running requests and every connection", async (t) => {
  const { post, close, connections } = await startBoth(t, () => undefined);
  const sending = breaks(post(), "connection", { sentence: /closed the connection/ });
  await eventually(() => connections.length === 1);
  await close();
  await sending;
  await eventually(() => connections[0]?.isClosed === true);
  await breaks(post(), "connection", { sentence: /closed the connection/ });
});

for (const name of [
  "Host",
  "content-length",
  "Transfer-Encoding",
  "Connection",
  "Proxy-Authorization",
]) {
  test(`the header ${name} must not be set by callers`, async (t) => {
    const { post, connections } = await startBoth(t, answering(answer("200 OK")));
    await assert.rejects(post({ headers: { [name]: "1" } }), /Callers must not set the header/);
    assert.deepEqual(connections, []);
  });
}

test("a header cannot break out of its line", async (t) => {
  const { post, connections } = await startBoth(t, answering(answer("200 OK")));
  for (const headers of [{ "x-a": "1\r\nx-b: 2" }, { "x-a\r\nx-b": "1" }] as const) {
    await assert.rejects(post({ headers }), (error) => !(error instanceof OutgoingError));
  }
  assert.ok(connections.every(({ text }) => text === ""));
});

test("no proxy of the environment is used", async (t) => {
  const proxy = await startReceiver(t, answering(answer("502 X")));
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy"];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
  atEnd(t, () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const { post } = await startBoth(t, answering(answer("200 OK")));
  assert.equal((await post()).status, 200);
  assert.deepEqual(proxy.connections, []);
});

const SECURELY = { skip: withoutOpenssl };

/** Starts a receiver with a certificate for the name `certified`. `ask` sends it a request, by default to NAME. */
async function askSecurely(t: TestContext, certified: string, { isTrusted = true } = {}) {
  const { authority, ...certificate } = makeCertificate(t, certified);
  if (isTrusted) trust(t, authority);
  const receiver = await startReceiver(t, answering(answer("200 OK", "secure")), certificate);
  const server = await startNameServer(t, () => ["127.0.0.1"]);
  const { send } = startDoor(t, { nameServers: [server.address] });
  return { ...receiver, ask: (host = NAME) => send(`https://${host}:${receiver.port}/`) };
}

test(
  "TLS names the host, without its last dot, and its certificate is checked for it",
  SECURELY,
  async (t) => {
    const { ask, named } = await askSecurely(t, NAME);
    assert.equal((await ask()).body.toString(), "secure");
    assert.equal((await ask(`${NAME.toUpperCase()}.`)).status, 200);
    assert.deepEqual([...new Set(named)], [NAME]);
  },
);

for (const [title, certified, isTrusted, code] of [
  ["of another name", "other.example.com", true, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["of an unknown authority", NAME, false, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
] as const) {
  test(`a certificate ${title} is rejected, whatever the environment says`, SECURELY, async (t) => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    atEnd(t, () => {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    });
    const { ask, connections } = await askSecurely(t, certified, { isTrusted });
    await breaks(ask(), "tls", { sentence: new RegExp(`TLS with ${NAME} failed \\(${code}\\)`) });
    assert.ok(connections.every(({ text }) => text === ""));
  });
}

test("https to a receiver that speaks plain HTTP fails in TLS", async (t) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer("400 Bad Request")));
  });
  const port = await listening(t, server);
  const { send } = startDoor(t);
  const sentence = /TLS with 127\.0\.0\.1 failed \(ERR_SSL_/;
  await breaks(send(`https://127.0.0.1:${port}/`), "tls", { sentence });
});
