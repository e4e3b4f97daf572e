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
      "The connection URL of your own PostgreSQL, version 15 or newer. Without it, the service " +
      "starts an embedded PostgreSQL in `DATA_DIR`.",
    parse: url,
    secret: true,
  },
  dataDir: {
    env: "DATA_DIR",
    doc:
      "The data folder, which contains the embedded PostgreSQL, the master key and the owner " +
      "token.",
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
      "The number of processes that serve requests on the port. `auto` leaves cores free for a " +
      "database on the same machine: 1 process on two cores, 3 on four, 6 on eight. With more " +
      "than one, an additional process runs the database and the background work and starts the " +
      "serving processes, but serves no requests itself. See [operating.md](operating.md#several-processes-on-one-machine).",
    parse: processes,
    fallback: "1",
  },
  masterKey: {
    env: "MASTER_KEY",
    doc:
      "The secret from which the keys for fields, tokens and signatures are derived: 32 bytes in base64, " +
      "as printed by `leadport key`. Required with `DATABASE_URL`. Without it, the service uses " +
      "`DATA_DIR/master-key`, which it creates at the first start.",
    parse: key,
    secret: true,
  },
  masterKeysPrevious: {
    env: "MASTER_KEY_PREVIOUS",
    doc:
      "Earlier master keys, separated by commas. Data encrypted with them is not re-encrypted, so " +
      "keep them in this list. See [operating.md](operating.md#rotating-the-master-key).",
    parse: keys,
    fallback: "",
    secret: true,
  },
  tlsCertFile: {
    env: "TLS_CERT_FILE",
    doc:
      "The file that contains the certificate chain, in PEM format. With this and `TLS_KEY_FILE`, " +
      "the service handles TLS 1.2 and 1.3 itself.",
    parse: path,
  },
  tlsKeyFile: {
    env: "TLS_KEY_FILE",
    doc: "The file that contains the certificate's private key, in PEM format.",
    parse: path,
  },
  hsts: {
    env: "HSTS",
    doc:
      "With `on`, responses over the service's own TLS contain `Strict-Transport-Security: " +
      "max-age=31536000`, so that browsers use only https for this host name for a year. The " +
      "header is never sent for IP addresses and `localhost`. With `off`, it is not sent at all.",
    parse: isOn,
    fallback: "on",
  },
  trustedProxies: {
    env: "TRUSTED_PROXIES",
    doc:
      "Addresses and ranges of trusted proxies, separated by commas. For requests from these proxies, IP " +
      "allow lists and limits per address apply to the client address in `X-Forwarded-For`.",
    parse: addressRanges,
    fallback: "",
  },
  outgoingAllow: {
    env: "OUTGOING_ALLOW",
    doc:
      "Private hosts, addresses and ranges, separated by commas, to which tenants' webhooks can be " +
      "sent, even over http. For example: `localhost,10.1.0.0/16`. See " +
      "[operating.md](operating.md#outgoing-requests).",
    parse: allowed,
    fallback: "",
  },
  publicUrl: {
    env: "PUBLIC_URL",
    doc:
      "The URL at which users open the console, such as `https://crm.example.com`. Links that the " +
      "service creates start with this URL. Without it, links start with the address to which the " +
      "request was sent.",
    parse: webAddress,
  },
  smtpUrl: {
    env: "SMTP_URL",
    doc:
      "The mail server for invitations and password-reset links, such as " +
      "`smtps://user:password@mail.example.com:465`. Without it, no email is sent, and " +
      "administrators have to send the links themselves. Requires `MAIL_FROM` and `PUBLIC_URL`.",
    parse: smtpAddress,
    secret: true,
  },
  mailFrom: {
    env: "MAIL_FROM",
    doc: "The sender of emails, such as `Leadport <crm@example.com>`.",
    parse: mailSender,
  },
  ...BACKUP_SETTINGS,
  ...MONITORING_SETTINGS,
  databaseConnections: {
    env: "DATABASE_CONNECTIONS",
    doc:
      "The maximum number of PostgreSQL connections that each process opens for writes, and also " +
      "the maximum that it opens for lists. Each process opens up to 12 more for other purposes. " +
      "See [operating.md](operating.md#several-processes-on-one-machine).",
    parse: integer(1, 500),
    fallback: "10",
  },
  listTimeout_ms: {
    env: "LIST_TIMEOUT_MS",
    doc: "The number of milliseconds after which the database cancels a list query.",
    parse: integer(10, 600_000),
    fallback: "10000",
  },
  diskReserve_bytes: {
    env: "DISK_RESERVE",
    doc:
      "The space to keep free on the disk of the embedded PostgreSQL, such as `512MB`; `off` for none. " +
      "While less space is free, imports and writes return 503, and reads continue. Default: " +
      "5% of the disk, but at least 128 MB and at most 1 GB.",
    parse: size,
  },
  importSpoolMax_bytes: {
    env: "IMPORT_SPOOL_MAX",
    doc:
      "The maximum space that each process uses in `DATA_DIR/imports`. An import file with number " +
      "or date columns is stored there while it is uploaded, so that the formats can be detected " +
      "from whole columns. If a file does not fit, the formats are detected from its first rows " +
      "(at most 500 rows or 1,048,576 characters), and the import shows a notice.",
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
      "The number of requests per minute that a token or partner without a separate limit can " +
      "make; `off` for no limit. See [rate-limits.md](rate-limits.md).",
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
      "The number of requests without a credential, such as sign-ins and pages, that an address " +
      "can send to each process per minute; `off` for no limit. See " +
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
  compression: {
    env: "COMPRESSION",
    doc:
      "With `on`, lists and other large responses are compressed for clients that accept " +
      "compression (`Accept-Encoding`: br, zstd, gzip). This is useful on slow networks. See " +
      "[operating.md](operating.md#compression).",
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
