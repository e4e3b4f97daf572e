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

/** Parameters of libpq that are no session settings. The time limit and keepalive of connections are our own. */
const IGNORED = [
  "channel_binding",
  "connect_timeout",
  "keepalives",
  "keepalives_count",
  "keepalives_idle",
  "keepalives_interval",
  "target_session_attrs",
];

/**
 * Parses a connection string. What it omits has the defaults of libpq. `sslmode` can be `disable`, `prefer` (TLS if
 * the server supports it), `require` (the certificate is not checked) or `verify-full`. Other parameters are session settings.
 */
export function parseTarget(url: string): Target {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  for (const name of IGNORED) searchParams.delete(name);
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

/** Returns the target to try next, if this error means that the server does not support TLS and TLS is optional. */
export const withoutTls = (target: Target, error: Error): Target | undefined =>
  target.isTlsOptional && /does not support SSL/.test(error.message)
    ? { ...target, ssl: false }
    : undefined;

function tlsOf(mode = "disable"): Target["ssl"] {
  if (mode === "disable" || mode === "false") return false;
  return mode.startsWith("verify") || mode === "true" ? {} : { rejectUnauthorized: false };
}
