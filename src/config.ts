/**
 * Every setting: its name in the environment, what it means, how it is read and what holds without
 * it. Read once at start and frozen; docs/configuration.md is printed from this table.
 */

import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { RATE_LIMIT_MAX } from "./platform/limiter.ts";
import { isAllowEntry } from "./platform/outgoing-gate.ts";
import { StartError } from "./platform/start-error.ts";

export interface Setting<T> {
  /** The name of the environment variable. */
  readonly env: string;
  readonly doc: string;
  /** Reads the text; throws an Error that completes the sentence "PORT …". */
  readonly parse: (text: string) => T;
  /** What is read where the variable is not set. */
  readonly fallback?: string;
  /** May be missing; the value is then undefined. */
  readonly optional?: true;
  /** The value is never repeated in a message. */
  readonly secret?: true;
}

function url(text: string): string {
  const { protocol } = URL.parse(text) ?? {};
  if (protocol === "postgres:" || protocol === "postgresql:") return text;
  throw new Error("must look like postgres://user:password@host:5432/database");
}

function path(text: string): string {
  if (text.includes("\0")) throw new Error("must be a path");
  return resolve(text);
}

const host = (text: string): string => {
  if (isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) return text;
  throw new Error("must be an address or a host name");
};

const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  };

const PROCESSES_MAX = 128;

/** How many processes serve; `auto` is one for each core that this process may use. */
export function processesOf(text: string): number {
  const value = text === "auto" ? availableParallelism() : Number(text);
  if (/^(\d+|auto)$/.test(text) && value >= 1 && value <= PROCESSES_MAX) return value;
  throw new Error(`must be a whole number from 1 to ${PROCESSES_MAX}, or auto`);
}

/** A whole number from 1, or `off`, which is 0. */
function limit(text: string): number {
  if (text === "off") return 0;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= RATE_LIMIT_MAX) return value;
  throw new Error(`must be a whole number from 1 to ${RATE_LIMIT_MAX}, or off`);
}

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${values.join(", ")}`);
  };

function key(text: string): Buffer {
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, "base64");
  throw new Error("must be 32 bytes in base64, as `leadport key` prints them");
}

const items = (text: string): readonly string[] => text.split(",").map((item) => item.trim());
const keys = (text: string): readonly Buffer[] => items(text).map(key);

function addressRanges(text: string): readonly string[] {
  for (const item of items(text)) {
    const [address = "", prefix = "0", ...rest] = item.split("/");
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new Error("must list addresses or ranges such as 10.0.0.0/8, with commas between");
    }
  }
  return items(text);
}

function allowed(text: string): readonly string[] {
  const names = items(text.toLowerCase());
  if (names.every(isAllowEntry)) return names;
  throw new Error("must list host names, addresses or ranges, with commas between");
}

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const SETTINGS = {
  databaseUrl: {
    env: "DATABASE_URL",
    doc: "Your PostgreSQL, 15 or newer. Without it the service starts its own in `DATA_DIR`.",
    parse: url,
    optional: true,
    secret: true,
  },
  dataDir: {
    env: "DATA_DIR",
    doc: "The folder of the service's own PostgreSQL, the master key and the owner token.",
    parse: path,
    fallback: "./data",
  },
  host: {
    env: "HOST",
    doc: "The address to listen on. `0.0.0.0` or `::` opens the service to other machines.",
    parse: host,
    fallback: "127.0.0.1",
  },
  port: {
    env: "PORT",
    doc: "The port to listen on; 0 takes a free one.",
    parse: integer(0, 65_535),
    fallback: "8080",
  },
  processes: {
    env: "PROCESSES",
    doc:
      "How many processes serve on the port; `auto` is one for each core. With more than one the first " +
      "process serves nothing itself: it has the database, the background work and the others. See " +
      "operating.md.",
    parse: processesOf,
    fallback: "1",
  },
  masterKey: {
    env: "MASTER_KEY",
    doc:
      "The key from which those for fields, tokens and signatures are derived: 32 bytes in " +
      "base64, as `leadport key` prints them. Needed with `DATABASE_URL`; without it " +
      "`DATA_DIR/master-key` is used and made at the first start.",
    parse: key,
    optional: true,
    secret: true,
  },
  masterKeysPrevious: {
    env: "MASTER_KEY_PREVIOUS",
    doc: "Earlier master keys, with commas between: what they encrypted stays readable.",
    parse: keys,
    fallback: "",
    secret: true,
  },
  tlsCertFile: {
    env: "TLS_CERT_FILE",
    doc: "The certificate chain in PEM. With `TLS_KEY_FILE` the service speaks TLS 1.2+ itself.",
    parse: path,
    optional: true,
  },
  tlsKeyFile: {
    env: "TLS_KEY_FILE",
    doc: "The certificate's private key in PEM.",
    parse: path,
    optional: true,
  },
  trustedProxies: {
    env: "TRUSTED_PROXIES",
    doc:
      "Addresses and ranges of proxies whose `X-Forwarded-For` is believed, with commas " +
      "between. Address lists then see the caller behind them.",
    parse: addressRanges,
    fallback: "",
  },
  outgoingAllow: {
    env: "OUTGOING_ALLOW",
    doc:
      "Hosts, addresses and ranges that a tenant's webhooks may reach although they are private, " +
      "and by http, with commas between: `localhost`, `10.1.0.0/16`. See operating.md.",
    parse: allowed,
    fallback: "",
  },
  partnerOutgoingAllow: {
    env: "PARTNER_OUTGOING_ALLOW",
    doc:
      "The same for the webhooks that partners name themselves, which `OUTGOING_ALLOW` does not " +
      "open. For tests and trusted partners: whoever is named here is reached by all of them.",
    parse: allowed,
    fallback: "",
  },
  logLevel: {
    env: "LOG_LEVEL",
    doc: `What goes to the log: ${LOG_LEVELS.join(", ")}.`,
    parse: oneOf(...LOG_LEVELS),
    fallback: "info",
  },
  databaseConnections: {
    env: "DATABASE_CONNECTIONS",
    doc: "Connections to PostgreSQL of each of a process's two pools; each of `PROCESSES` has its own.",
    parse: integer(1, 500),
    fallback: "10",
  },
  listTimeout_ms: {
    env: "LIST_TIMEOUT_MS",
    doc: "After how many milliseconds the database stops the query of a list.",
    parse: integer(10, 600_000),
    fallback: "10000",
  },
  rateLimit: {
    env: "RATE_LIMIT",
    doc:
      "Requests a minute that a token or partner may make which has no limit of its own; `off` is " +
      "no limit. See rate-limits.md.",
    parse: limit,
    fallback: "6000",
  },
  deliveryRetention_days: {
    env: "DELIVERY_RETENTION_DAYS",
    doc: "For how many days deliveries that have ended are kept, with their attempts.",
    parse: integer(1, 36_500),
    fallback: "30",
  },
} as const satisfies Record<string, Setting<unknown>>;

type Value<S> = S extends { readonly parse: (text: string) => infer T }
  ? S extends { readonly optional: true }
    ? T | undefined
    : T
  : never;

export type Config = { readonly [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]> };

/** What a list setting means when it is not set. */
const EMPTY: ReadonlySet<unknown> = new Set([keys, addressRanges, allowed]);

function read(setting: Setting<unknown>, env: NodeJS.ProcessEnv): unknown {
  const given = env[setting.env]?.trim() ?? "";
  const text = given === "" ? (setting.fallback ?? "") : given;
  if (text === "") return EMPTY.has(setting.parse) ? [] : undefined;
  try {
    return setting.parse(text);
  } catch (error) {
    const shown = setting.secret ? "" : `, not ${JSON.stringify(text)}`;
    throw new StartError(`${setting.env} ${(error as Error).message}${shown}`);
  }
}

/** What a setting asks of another one. */
function conflicts(config: Partial<Config>, wrong: readonly string[]): string[] {
  const found: string[] = [];
  const names = (setting: Setting<unknown>) => wrong.some((text) => text.startsWith(setting.env));
  if (config.databaseUrl !== undefined && config.masterKey === undefined) {
    if (!names(SETTINGS.masterKey)) {
      found.push("MASTER_KEY must be set when DATABASE_URL is; `leadport key` makes one");
    }
  }
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    found.push("TLS_CERT_FILE and TLS_KEY_FILE must be set together");
  }
  return found;
}

/**
 * The settings of this process. Throws one StartError that names every setting that is wrong; the
 * values of secrets are not in it.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, setting] of Object.entries(SETTINGS)) {
    try {
      values[name] = read(setting, env);
    } catch (error) {
      wrong.push((error as Error).message);
    }
  }
  wrong.push(...conflicts(values, wrong));
  if (wrong.length > 0) {
    throw new StartError(["Some settings are wrong:", ...wrong].join("\n  "));
  }
  return Object.freeze(values as Config);
}
