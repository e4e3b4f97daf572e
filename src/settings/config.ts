/** All settings: name, description, parser and default. docs/configuration.md is generated from this table. */

import { BACKUP_SETTINGS } from "./backup-settings.ts";
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
    doc:
      "Your PostgreSQL, version 15 or newer. Without it, the service starts its own PostgreSQL in " +
      "`DATA_DIR`.",
    parse: url,
    secret: true,
  },
  dataDir: {
    env: "DATA_DIR",
    doc: "The data folder: the service's own PostgreSQL, the master key and the owner token.",
    parse: path,
    fallback: "./data",
  },
  host: {
    env: "HOST",
    doc: "The address to listen on. `0.0.0.0` or `::` makes the service available to other machines.",
    parse: host,
    fallback: "127.0.0.1",
  },
  port: {
    env: "PORT",
    doc: "The port to listen on; 0 chooses a free port.",
    parse: integer(0, 65_535),
    fallback: "8080",
  },
  processes: {
    env: "PROCESSES",
    doc:
      "The number of processes that serve on the port. `auto` leaves cores free for a database " +
      "on the same machine: 1 process on two cores, 3 on four, 6 on eight. With more than one, " +
      "the first process does not serve requests: it runs the database, the background work " +
      "and the other processes. See [operating.md](operating.md).",
    parse: processes,
    fallback: "1",
  },
  masterKey: {
    env: "MASTER_KEY",
    doc:
      "The key from which the keys for fields, tokens and signatures are derived: 32 bytes in base64, " +
      "as printed by `leadport key`. Required with `DATABASE_URL`. Without it, the service uses " +
      "`DATA_DIR/master-key`, which it creates at the first start.",
    parse: key,
    secret: true,
  },
  masterKeysPrevious: {
    env: "MASTER_KEY_PREVIOUS",
    doc:
      "Earlier master keys, separated by commas. Data encrypted with them is not re-encrypted, " +
      "so they must stay here. " +
      "See [operating.md](operating.md#rotating-the-master-key).",
    parse: keys,
    fallback: "",
    secret: true,
  },
  tlsCertFile: {
    env: "TLS_CERT_FILE",
    doc: "The certificate chain in PEM. With `TLS_KEY_FILE`, the service serves TLS 1.2 and 1.3 itself.",
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
      "that browsers use only https for this host name for a year. The header is never sent " +
      "for IP addresses and `localhost`. With `off`, it is not sent at all.",
    parse: isOn,
    fallback: "on",
  },
  trustedProxies: {
    env: "TRUSTED_PROXIES",
    doc:
      "Addresses and ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas. " +
      "Address lists and limits then apply to the client behind the proxy.",
    parse: addressRanges,
    fallback: "",
  },
  outgoingAllow: {
    env: "OUTGOING_ALLOW",
    doc:
      "Private hosts, addresses and ranges that a tenant's webhooks may reach, also by http, " +
      "separated by commas: `localhost`, `10.1.0.0/16`. See [operating.md](operating.md).",
    parse: allowed,
    fallback: "",
  },
  partnerOutgoingAllow: {
    env: "PARTNER_OUTGOING_ALLOW",
    doc:
      "The same for partners' webhooks, which `OUTGOING_ALLOW` does not apply to. It is meant " +
      "for tests and trusted partners, because all partners can reach these addresses.",
    parse: allowed,
    fallback: "",
  },
  publicUrl: {
    env: "PUBLIC_URL",
    doc:
      "The URL at which users open the console, such as `https://crm.example.com`. Links " +
      "start with it. Without it, links start with the address of the request.",
    parse: webAddress,
  },
  smtpUrl: {
    env: "SMTP_URL",
    doc:
      "The server that sends invitations and password-reset links: " +
      "`smtps://user:password@mail.example.com:465`. Without it, no email is sent, and " +
      "administrators have to send the links themselves. Requires `MAIL_FROM` and `PUBLIC_URL`.",
    parse: smtpAddress,
    secret: true,
  },
  mailFrom: {
    env: "MAIL_FROM",
    doc: "The sender of emails: `Leadport <crm@example.com>`.",
    parse: mailSender,
  },
  ...BACKUP_SETTINGS,
  ...MONITORING_SETTINGS,
  databaseConnections: {
    env: "DATABASE_CONNECTIONS",
    doc:
      "The number of connections to PostgreSQL that each process uses for writes, and the " +
      "number that it uses for lists. A process opens up to " +
      "12 more for other purposes. See [operating.md](operating.md#several-processes-on-one-machine).",
    parse: integer(1, 500),
    fallback: "10",
  },
  listTimeout_ms: {
    env: "LIST_TIMEOUT_MS",
    doc: "The number of milliseconds after which the database stops a list query.",
    parse: integer(10, 600_000),
    fallback: "10000",
  },
  diskReserve_bytes: {
    env: "DISK_RESERVE",
    doc:
      "The space that stays free on the disk of the service's own PostgreSQL, such as `512MB`; " +
      "`off` for none. When there is less, imports and writes return 503, and reads continue. " +
      "Default: 5% of the " +
      "disk, but at least 128 MB and at most 1 GB.",
    parse: size,
  },
  exportSpoolMax_bytes: {
    env: "EXPORT_SPOOL_MAX",
    doc:
      "The maximum space in `DATA_DIR/exports` for a process's exports to slow clients. They " +
      "are spooled to temporary files at full speed and sent from there, so that the database " +
      "does not have to wait.",
    parse: size,
    fallback: "10GB",
  },
  importSpoolMax_bytes: {
    env: "IMPORT_SPOOL_MAX",
    doc:
      "The maximum space in `DATA_DIR/imports` for a process's import files. A file with " +
      "number or date columns is stored there while it is uploaded, so that the formats can be " +
      "detected from whole columns. If a file does not fit, the formats are detected from its " +
      "first rows (at most 500 rows or 1,048,576 " +
      "characters), with a notice.",
    parse: size,
    fallback: "10GB",
  },
  shutdownDrain_s: {
    env: "SHUTDOWN_DRAIN_S",
    doc:
      "The number of seconds after SIGTERM during which requests are still served while `/readyz` returns " +
      "503, so that a load balancer can stop sending requests. A second signal ends this period.",
    parse: integer(0, 3600),
    fallback: "0",
  },
  rateLimit: {
    env: "RATE_LIMIT",
    doc:
      "The number of requests per minute for a token or partner without a separate limit; " +
      "`off` for no limit. See [rate-limits.md](rate-limits.md).",
    parse: rateLimit,
    fallback: "6000",
  },
  concurrencyLimit: {
    env: "CONCURRENCY_LIMIT",
    doc:
      "The number of requests that a token, partner or user without a separate limit can have " +
      "in progress at once, in each process; `off` for no limit. See " +
      "[fair-shares.md](fair-shares.md).",
    parse: concurrencyLimit,
    fallback: "500",
  },
  anonymousRateLimit: {
    env: "ANONYMOUS_RATE_LIMIT",
    doc:
      "The number of requests per minute, such as sign-ins and pages, that an address can send " +
      "to a process without a credential; `off` for no limit. See " +
      "[rate-limits.md](rate-limits.md).",
    parse: rateLimit,
    fallback: "1200",
  },
  maxRecords: {
    env: "MAX_RECORDS",
    doc:
      "The number of records of all types that a tenant without a separate quota can store; " +
      "`off` for no limit. See " +
      "[quotas.md](quotas.md).",
    parse: recordLimit,
    fallback: "off",
  },
  maxBytes: {
    env: "MAX_BYTES",
    doc:
      "The space that the rows of a tenant without a separate quota can use, such as `10GB`; `off` for " +
      "no limit. See [quotas.md](quotas.md).",
    parse: size,
    fallback: "off",
  },
  serverTiming: {
    env: "SERVER_TIMING",
    doc:
      "`on` adds a `Server-Timing` header with the duration of each stage to every response; " +
      "`off` adds it only if a request has `Prefer: timing`. See [operating.md](operating.md).",
    parse: isOn,
    fallback: "off",
  },
  compression: {
    env: "COMPRESSION",
    doc:
      "`on` compresses lists and other large responses for clients that request it " +
      "(`Accept-Encoding`: br, zstd, gzip). This is useful on slow networks. See [operating.md](operating.md).",
    parse: isOn,
    fallback: "off",
  },
  deliveryRetention_days: {
    env: "DELIVERY_RETENTION_DAYS",
    doc: "The number of days for which finished deliveries and their attempts are stored.",
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
