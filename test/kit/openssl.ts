/** Creates certificates for tests with openssl, if it is installed. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

function isThere(): boolean {
  try {
    return execFileSync("openssl", ["version"]).length > 0;
  } catch {
    return false;
  }
}

/** The value of a test's `skip` option: false if openssl is installed, or else the reason to skip the test. */
export const withoutOpenssl: string | false = !isThere() && "needs openssl to make a certificate";

const run = (args: readonly string[]) => execFileSync("openssl", args, { stdio: "ignore" });

const digits = (date: Date) => `${date.toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z`;

export interface CertificateFiles {
  readonly TLS_CERT_FILE: string;
  readonly TLS_KEY_FILE: string;
}

/** Creates a self-signed certificate in a folder. It is valid until `end`, which may be in the past. */
export function certificateUntil(folder: string, end: Date): CertificateFiles {
  const path = (name: string) => join(folder, name);
  const start = new Date(end.getTime() - 365 * 86_400_000);
  writeFileSync(path("index"), "");
  writeFileSync(
    path("ca.cnf"),
    [
      "[ca]",
      "default_ca = own",
      "[own]",
      `database = ${path("index")}`,
      `serial = ${path("serial")}`,
      `new_certs_dir = ${folder}`,
      "default_md = sha256",
      "policy = any",
      "[any]",
      "commonName = supplied",
      "",
    ].join("\n"),
  );
  const TLS_CERT_FILE = path("cert.pem");
  const TLS_KEY_FILE = path("key.pem");
  const request = ["-keyout", TLS_KEY_FILE, "-out", path("request.pem")];
  run(["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", ...request]);
  run([
    "ca",
    "-batch",
    "-selfsign",
    "-rand_serial",
    "-notext",
    "-config",
    path("ca.cnf"),
    "-keyfile",
    TLS_KEY_FILE,
    "-in",
    path("request.pem"),
    "-out",
    TLS_CERT_FILE,
    "-startdate",
    digits(start),
    "-enddate",
    digits(end),
  ]);
  return { TLS_CERT_FILE, TLS_KEY_FILE };
}
