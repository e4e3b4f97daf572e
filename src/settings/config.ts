/** Every setting: name, meaning, check and default. docs/configuration.md is printed from it. */

import { MONITORING_SETTINGS } from "./monitoring-settings.ts";
import {
  addressRanges,
  allowed,
  concurrencyLimit,
  host,
  integer,
  isOn,
  key,
  keys,
  mailSender,
  path,
  processes,
  rateLimit,
  recordLimit,
  size,
  smtpAddress,
  url,
  webAddress,
  type Setting,
} from "./setting-texts.ts";

export const SETTINGS = {
  databaseUrl: {
    env: "DATABASE_URL",
    doc: "Your PostgreSQL, 15 or newer. Without it the service starts its own in `DATA_DIR`.",
    parse: url,
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
      "How many processes serve on the port; `auto` leaves cores to a database on the same machine: 1 process on " +
      "two cores, 3 on four, 6 on eight. With more than one the first " +
      "process serves nothing itself: it has the database, the background work and the others. See " +
      "operating.md.",
    parse: processes,
    fallback: "1",
  },
  masterKey: {
    env: "MASTER_KEY",
    doc:
      "The key from which those for fields, tokens and signatures are derived: 32 bytes in " +
      "base64, as `leadport key` prints them. Needed with `DATABASE_URL`; without it " +
      "`DATA_DIR/master-key` is used and made at the first start.",
    parse: key,
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
  },
  tlsKeyFile: {
    env: "TLS_KEY_FILE",
    doc: "The certificate's private key in PEM.",
    parse: path,
  },
  hsts: {
    env: "HSTS",
    doc:
      "`on` sets `Strict-Transport-Security: max-age=31536000` on responses over the service's own TLS, so " +
      "that browsers use only https for this host name for a year. It is never sent for IP addresses and " +
      "`localhost`. `off` sends none.",
    parse: isOn,
    fallback: "on",
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
  publicUrl: {
    env: "PUBLIC_URL",
    doc:
      "The address at which people open the console, such as `https://crm.example.com`; links that are " +
      "handed out begin with it. Without it, with the address of the request.",
    parse: webAddress,
  },
  smtpUrl: {
    env: "SMTP_URL",
    doc:
      "The server by which invitations and links for a forgotten password are mailed: " +
      "`smtps://user:password@mail.example.com:465`. Without it nothing is mailed, and an administrator " +
      "hands the links on. Needs `MAIL_FROM` and `PUBLIC_URL`.",
    parse: smtpAddress,
    secret: true,
  },
  mailFrom: {
    env: "MAIL_FROM",
    doc: "The sender of what is mailed: `Leadport <crm@example.com>`.",
    parse: mailSender,
  },
  ...MONITORING_SETTINGS,
  databaseConnections: {
    env: "DATABASE_CONNECTIONS",
    doc: "Connections to PostgreSQL of each of a process's two pools, for writes and for lists; each of `PROCESSES` has its own.",
    parse: integer(1, 500),
    fallback: "10",
  },
  listTimeout_ms: {
    env: "LIST_TIMEOUT_MS",
    doc: "After how many milliseconds the database stops the query of a list.",
    parse: integer(10, 600_000),
    fallback: "10000",
  },
  diskReserve_bytes: {
    env: "DISK_RESERVE",
    doc:
      "Space that stays free on the disk of the service's own PostgreSQL, such as `512MB`; `off` for none. " +
      "With less, imports and writes return 503 and reads continue. Default: 5 % of the disk, but at least " +
      "128 MB and at most 1 GB.",
    parse: size,
  },
  exportSpoolMax_bytes: {
    env: "EXPORT_SPOOL_MAX",
    doc:
      "Space in `DATA_DIR/exports` for the exports of a process whose readers are slow: they are completed at " +
      "full speed into temporary files and sent from there, so that the database does not wait for them.",
    parse: size,
    fallback: "10GB",
  },
  importSpoolMax_bytes: {
    env: "IMPORT_SPOOL_MAX",
    doc:
      "Space in `DATA_DIR/imports` for the files that a process imports: a file with columns of numbers or dates " +
      "is stored there while it is uploaded, so that whole columns decide how they are read. A file that " +
      "finds no space is imported as its first rows decide (at most 500 rows or 1,048,576 characters), with a notice.",
    parse: size,
    fallback: "10GB",
  },
  shutdownDrain_s: {
    env: "SHUTDOWN_DRAIN_S",
    doc:
      "For how many seconds after SIGTERM requests are still served while `/readyz` returns 503, so that a " +
      "load balancer can stop sending them here. A second signal ends this.",
    parse: integer(0, 3600),
    fallback: "0",
  },
  rateLimit: {
    env: "RATE_LIMIT",
    doc:
      "Requests a minute that a token or partner may make which has no limit of its own; `off` is " +
      "no limit. See rate-limits.md.",
    parse: rateLimit,
    fallback: "6000",
  },
  concurrencyLimit: {
    env: "CONCURRENCY_LIMIT",
    doc:
      "Requests that a token, partner or user without its own limit may have in progress at once, in " +
      "each process; `off` is no limit. See fair-shares.md.",
    parse: concurrencyLimit,
    fallback: "500",
  },
  anonymousRateLimit: {
    env: "ANONYMOUS_RATE_LIMIT",
    doc:
      "Requests a minute without a credential that one address may make of a process, such as sign-ins " +
      "and pages; `off` is no limit. See rate-limits.md.",
    parse: rateLimit,
    fallback: "1200",
  },
  maxRecords: {
    env: "MAX_RECORDS",
    doc:
      "Records of all types that a tenant without its own quota may store; `off` is no limit. See " +
      "[quotas.md](quotas.md).",
    parse: recordLimit,
    fallback: "off",
  },
  maxBytes: {
    env: "MAX_BYTES",
    doc:
      "Space that the rows of a tenant without its own quota may take, such as `10GB`; `off` is no limit. " +
      "See [quotas.md](quotas.md).",
    parse: size,
    fallback: "off",
  },
  serverTiming: {
    env: "SERVER_TIMING",
    doc:
      "`on` tells in every answer how long its stages took (`Server-Timing`), `off` only where " +
      "the request asks with `Prefer: timing`. See operating.md.",
    parse: isOn,
    fallback: "off",
  },
  compression: {
    env: "COMPRESSION",
    doc:
      "`on` packs lists and other large answers for clients that ask for it (`Accept-Encoding`: " +
      "br, zstd, gzip), which pays over slow networks. See operating.md.",
    parse: isOn,
    fallback: "off",
  },
  deliveryRetention_days: {
    env: "DELIVERY_RETENTION_DAYS",
    doc: "For how many days deliveries that have ended are kept, with their attempts.",
    parse: integer(1, 36_500),
    fallback: "30",
  },
} as const satisfies Record<string, Setting<unknown>>;

type Value<S> = S extends { readonly parse: (text: string) => infer T }
  ? S extends { readonly fallback: string }
    ? T
    : T | undefined
  : never;

export type Config = { readonly [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]> };
