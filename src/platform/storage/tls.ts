/** The service's TLS certificate and key, which are read and checked before anything starts. */

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { codeOf, StartError } from "../errors/index.ts";

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

type TlsSettings = Readonly<Record<"tlsCertFile" | "tlsKeyFile", string | undefined>>;

/**
 * Reads the certificate and key. Returns undefined if TLS is not configured. Throws a StartError if a file is invalid
 * or the files do not match.
 */
export function readTls({ tlsCertFile, tlsKeyFile }: TlsSettings): Tls | undefined {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined;
  const cert = readSetting("TLS_CERT_FILE", tlsCertFile);
  const key = readSetting("TLS_KEY_FILE", tlsKeyFile);
  const certificate = parsed("TLS_CERT_FILE", tlsCertFile, () => new X509Certificate(cert));
  const privateKey = parsed("TLS_KEY_FILE", tlsKeyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartError(
      "The key in TLS_KEY_FILE does not match the certificate in TLS_CERT_FILE.",
    );
  }
  if (new Date(certificate.validTo) < new Date()) {
    throw new StartError(`The certificate in TLS_CERT_FILE expired on ${certificate.validTo}.`);
  }
  return { cert, key };
}

function readSetting(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(`${setting}: cannot read ${path} (${code}).`, { cause: error });
  }
}

function parsed<T>(setting: "TLS_CERT_FILE" | "TLS_KEY_FILE", path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const kind = setting === "TLS_CERT_FILE" ? "certificate" : "private key";
    throw new StartError(`${setting}: ${path} is not a valid PEM ${kind}.`, { cause: error });
  }
}
