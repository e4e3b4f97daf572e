/** The embedded PostgreSQL's settings and the reasons for them. docs/operating.md recommends some of them. */

import { createHash } from "node:crypto";
import { totalmem } from "node:os";

export interface Sizes {
  /** The memory for which the settings are calculated: all or part of the memory of the machine or container. */
  readonly memory_bytes: number;
  readonly connections: number;
  /** The folder for the server's Unix socket. If omitted, there is no socket. */
  readonly socketFolder?: string;
  /** Additional settings, keyed by name. */
  readonly further?: Readonly<Record<string, string>>;
}

type Value = string | ((sizes: Sizes) => string);

/** A setting that is also recommended for external PostgreSQL servers. */
interface Recommended {
  readonly value: Value;
  /** A description of the value, if it depends on the machine. */
  readonly words?: string;
  readonly why: string;
}

const MB = 1024 * 1024;
const share =
  (part: number, min: number, max: number) =>
  ({ memory_bytes }: Sizes): string =>
    `${Math.round(Math.min(Math.max(memory_bytes / part / MB, min), max))}MB`;

/** Returns the bytes of memory that this process may use: the container's limit, or else the machine's memory. */
export function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

const RECOMMENDED: Readonly<Record<string, Recommended>> = {
  fsync: {
    value: "on",
    why: "PostgreSQL forces its writes to disk, so that they survive a power failure",
  },
  synchronous_commit: {
    value: "on",
    why: "PostgreSQL acknowledges a write only when it is on disk",
  },
  full_page_writes: {
    value: "on",
    why: "PostgreSQL can repair pages that were only partly written when the power failed",
  },
  random_page_cost: {
    value: "1.1",
    why: "This value is meant for flash storage. With the default of 4, PostgreSQL plans deep pages as a full scan and sort of the table and can serve only a few of them per second",
  },
  jit: {
    value: "off",
    why: "Compiling a query plan takes longer than running the query without compilation",
  },
  max_parallel_workers_per_gather: {
    value: "0",
    why: "Many short queries already keep the processors busy, and parallel plans need more shared memory than the 64 MB that containers provide by default",
  },
  shared_buffers: {
    value: share(4, 32, 8192),
    words: "a quarter of the memory, at most 8 GB",
    why: "A list page takes at least 1.3 times as long if its records are only in the operating system's cache. PostgreSQL allocates this memory only when it needs it. The remaining memory is for the operating system's cache, Node.js and sorting. Above 8 GB, the page table of each connection becomes large",
  },
  effective_cache_size: {
    value: share(2, 128, 1_048_576),
    words: "half of the memory",
    why: "The query planner needs to know how much data PostgreSQL and the operating system can cache together",
  },
  work_mem: {
    value: share(1024, 4, 32),
    words: "a thousandth of the memory, 4 to 32 MB",
    why: "Each connection can use several times this amount, for sorts and for bitmaps of large lists",
  },
  maintenance_work_mem: {
    value: share(32, 32, 512),
    words: "a 32nd of the memory, at most 512 MB",
    why: "Vacuuming tables and creating indexes are faster with more memory",
  },
  checkpoint_timeout: {
    value: "15min",
    why: "Fewer checkpoints write fewer full pages to the WAL, and recovery after a crash still takes only seconds",
  },
  max_wal_size: {
    value: "2GB",
    why: "An import can write a lot of WAL without forcing a checkpoint every minute",
  },
  autovacuum_vacuum_scale_factor: {
    value: "0.05",
    why: "Lists read many recent rows, and frequent vacuuming keeps the number of dead rows among them low",
  },
  autovacuum_vacuum_insert_scale_factor: {
    value: "0.05",
    why: "A deep page can skip records without reading the table only if vacuum has processed them. With the default of 0.2, it has not processed the newest sixth of the records, where most lists begin",
  },
  autovacuum_naptime: {
    value: "15s",
    why: "Autovacuum processes a table soon after the table needs it",
  },
  client_connection_check_interval: {
    value: "5s",
    why: "PostgreSQL cancels the queries of clients that have disconnected",
  },
  idle_in_transaction_session_timeout: {
    value: "5min",
    why: "PostgreSQL ends transactions that a crashed client left open, because they would block vacuum and the change feed",
  },
  log_error_verbosity: {
    value: "terse",
    why: "The log must not contain error details, because they include values such as an email address that already exists",
  },
  log_parameter_max_length: {
    value: "0",
    why: "The log must not contain statement parameters, because they include personal data",
  },
  log_parameter_max_length_on_error: {
    value: "0",
    why: "The log must not contain the parameters of failed statements either",
  },
};

const OURS: Readonly<Record<string, Value>> = {
  // The server is reachable only from this machine, and only with the password in the data folder.
  listen_addresses: "127.0.0.1",
  // The Unix socket is used if another program has taken the server's TCP port.
  unix_socket_directories: ({ socketFolder = "" }) => socketFolder,
  password_encryption: "scram-sha-256",
  // Enough for the service's connection pools, plus some connections for commands.
  max_connections: ({ connections }) => String(Math.max(60, connections + 30)),

  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",

  // PostgreSQL writes one log file per weekday and overwrites it a week later.
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgresql-%a.log",
  log_truncate_on_rotation: "on",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  log_line_prefix: "%m [%p] %a ",
  log_min_duration_statement: "5s",
};

const valueOf = (value: Value, sizes: Sizes): string =>
  typeof value === "string" ? value : value(sizes);

/**
 * Returns the settings as arguments for the `postgres` program, and their fingerprint. The fingerprint is also passed
 * as the setting `leadport.settings`.
 */
export function settingArguments(sizes: Sizes, version: string) {
  const settings = [
    ...Object.entries(OURS).map(([name, value]) => [name, valueOf(value, sizes)] as const),
    ...Object.entries(RECOMMENDED).map(
      ([name, { value }]) => [name, valueOf(value, sizes)] as const,
    ),
    ...Object.entries(sizes.further ?? {}),
  ];
  const text = JSON.stringify([version, settings]);
  const fingerprint = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const all = [...settings, ["leadport.settings", fingerprint] as const];
  return { args: all.flatMap(([name, value]) => ["-c", `${name}=${value}`]), fingerprint };
}

/** Returns the table of settings for external PostgreSQL servers in docs/operating.md. */
export const recommendedMarkdown = (): string =>
  [
    "| setting | value | why |",
    "|---|---|---|",
    ...Object.entries(RECOMMENDED).map(
      ([name, { value, words, why }]) =>
        `| \`${name}\` | ${words ?? `\`${valueOf(value, { memory_bytes: 0, connections: 0 })}\``} | ${why} |`,
    ),
  ].join("\n");
