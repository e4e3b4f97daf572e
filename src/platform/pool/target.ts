/** The server and the session settings in a connection string. */

import type { ConnectionOptions } from "node:tls";

export type Settings = Readonly<Record<string, string | number | boolean>>;

export interface Target {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl: false | ConnectionOptions;
  /** Whether to connect without TLS if the server does not support it. */
  readonly isTlsOptional: boolean;
  /** Session settings, such as `application_name`. */
  readonly settings: Settings;
}

/**
 * Parses a connection string. What it omits has the defaults of libpq. `sslmode` can be `disable`, `prefer` (TLS if
 * the server supports it), `require` (the certificate is not checked) or `verify-full`. Other parameters are session settings.
 */
export function parseTarget(url: string): Target {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const { sslmode, ssl = sslmode, host, ...settings } = Object.fromEntries(searchParams);
  const database = pathname.slice(1);
  const name = hostname === "" ? host : hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    ...(name !== undefined && { host: decodeURIComponent(name) }),
    ...(port !== "" && { port: Number(port) }),
    ...(username !== "" && { user: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
    ...(database !== "" && { database: decodeURIComponent(database) }),
    ssl: tlsOf(ssl),
    isTlsOptional: ssl === "prefer",
    settings,
  };
}

function tlsOf(mode = "disable"): Target["ssl"] {
  if (mode === "disable" || mode === "false") return false;
  return mode.startsWith("verify") || mode === "true" ? {} : { rejectUnauthorized: false };
}
