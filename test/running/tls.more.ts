/** The service's own TLS: it supports 1.2 and 1.3, and rejects 1.0 and 1.1. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { withoutOpenssl } from "../kit/openssl.ts";
import { folder, installed, leadport, settings, startLeadport } from "./leadport.ts";
import { atEnd } from "../kit/started.ts";

const skip = withoutOpenssl;

function certificate(t: TestContext) {
  const path = folder(t);
  const TLS_CERT_FILE = join(path, "cert.pem");
  const TLS_KEY_FILE = join(path, "key.pem");
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=crm.example.com",
      "-addext",
      "subjectAltName=DNS:crm.example.com",
      "-keyout",
      TLS_KEY_FILE,
      "-out",
      TLS_CERT_FILE,
    ],
    { stdio: "ignore" },
  );
  return { TLS_CERT_FILE, TLS_KEY_FILE };
}

/** Returns the version negotiated by a client that supports only this version, or the error. */
function speak(t: TestContext, port: number, version: SecureVersion): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      minVersion: version,
      maxVersion: version,
      // Old TLS versions need old ciphers. Without them, the client itself rejects the connection,
      // and the server is not tested.
      ciphers: "DEFAULT@SECLEVEL=0",
      rejectUnauthorized: false,
    });
    atEnd(t, () => socket.destroy());
    socket.on("secureConnect", () => {
      resolve(socket.getProtocol() ?? "");
      socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

test(
  "TLS 1.2 and 1.3 work, 1.0 and 1.1 are rejected, and the printed curl line works",
  { skip },
  async (t) => {
    const env = { ...(await installed(t)), ...certificate(t) };
    const { base, out } = await startLeadport(t, { env });
    assert.match(base, /^https:\/\/crm\.example\.com:\d+$/);
    const port = Number(new URL(base).port);
    assert.equal(await speak(t, port, "TLSv1.2"), "TLSv1.2");
    assert.equal(await speak(t, port, "TLSv1.3"), "TLSv1.3");
    for (const old of ["TLSv1", "TLSv1.1"] as const) {
      assert.equal(await speak(t, port, old), "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", old);
    }
    const [line = ""] = /curl .*/.exec(out()) ?? [];
    // Over TLS, the cookie is bound to this host and marked as secure.
    const signOut = line.replace(
      /(\S+)\/crm\/leads.*$/,
      "-X POST -D - -o /dev/null $1/auth/sign_out",
    );
    const headers = execFileSync("sh", ["-c", signOut.replace("curl", "curl -sS")], {
      encoding: "utf8",
    });
    assert.match(headers, /^set-cookie: __Host-leadport=; .*; Path=\/; HttpOnly; Secure; /im);
    const answer = execFileSync("sh", ["-c", line.replace("curl", "curl -sS")], {
      encoding: "utf8",
    });
    assert.equal((JSON.parse(answer) as { page_num: number }).page_num, 1);
  },
);

test("plain HTTP on the TLS port gets no response", { skip }, async (t) => {
  const env = { ...(await installed(t)), ...certificate(t) };
  const { base } = await startLeadport(t, { env });
  await assert.rejects(fetch(`http://127.0.0.1:${new URL(base).port}/healthz`));
});

test("files that are no matching certificate and key are reported", { skip }, async (t) => {
  const one = certificate(t);
  const other = certificate(t);
  const cases = [
    [{ ...one, TLS_KEY_FILE: other.TLS_KEY_FILE }, /TLS_KEY_FILE does not match the certificate/],
    [
      { ...one, TLS_KEY_FILE: one.TLS_CERT_FILE },
      /TLS_KEY_FILE: \S+ is not a valid PEM private key/,
    ],
    [{ ...one, TLS_CERT_FILE: "/nowhere.pem" }, /TLS_CERT_FILE: cannot read \S+ \(ENOENT\)/],
  ] as const;
  for (const [files, message] of cases) {
    const { code, err } = await leadport(t, ["start"], { env: { ...settings(t), ...files } });
    assert.equal(code, 1);
    assert.match(err, message);
    assert.ok(!err.includes(readFileSync(one.TLS_KEY_FILE, "utf8").split("\n")[1] ?? "-"));
  }
});
