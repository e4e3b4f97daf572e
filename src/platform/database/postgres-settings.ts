/** The settings of our own PostgreSQL with their reasons; docs/operating.md advises some. */

import { createHash } from "node:crypto";
import { totalmem } from "node:os";

export interface Sizes {
  /** The memory of the machine or container, or the part of it to reckon with. */
  readonly memory_bytes: number;
  readonly connections: number;
  /** Where its socket is; none without it. */
  readonly socketFolder?: string;
}

type Value = string | ((sizes: Sizes) => string);

/** A setting that a PostgreSQL of somebody else's should have too. */
interface Advised {
  readonly value: Value;
  /** The value in words, where it depends on the machine. */
  readonly words?: string;
  readonly why: string;
}

const MB = 1024 * 1024;
const share =
  (part: number, min: number, max: number) =>
  ({ memory_bytes }: Sizes): string =>
    `${Math.round(Math.min(Math.max(memory_bytes / part / MB, min), max))}MB`;

/** The memory that this process may reckon with: a container's limit where there is one. */
export function memoryAtHand(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

const ADVISED: Readonly<Record<string, Advised>> = {
  fsync: { value: "on", why: "a write that was answered is on the disk" },
  synchronous_commit: { value: "on", why: "the same" },
  full_page_writes: {
    value: "on",
    why: "a page that was half written when the power went is mended",
  },
  random_page_cost: {
    value: "1.1",
    why: "data lie on flash. With 4 a deep page is planned as a sequential scan and a sort of the whole table, and falls to a few a second; the service warns of it when it starts",
  },
  jit: { value: "off", why: "compiling a plan costs more than these queries take" },
  max_parallel_workers_per_gather: {
    value: "0",
    why: "many short queries share the processors already; parallel plans need shared memory, of which containers give 64 MB",
  },
  shared_buffers: {
    value: share(4, 32, 8192),
    words: "a quarter of the memory, at most 8 GB",
    why: "a page of a list whose records lie in the system's cache instead takes 1.3 times as long and more. It is taken when used; the rest is for that cache, Node and sorting. Beyond, each connection's page table grows large",
  },
  effective_cache_size: {
    value: share(2, 128, 1_048_576),
    words: "half of the memory",
    why: "what both caches hold, for the planner",
  },
  work_mem: {
    value: share(1024, 4, 32),
    words: "a thousandth of the memory, 4 to 32 MB",
    why: "each connection may take it several times, for sorts and for bitmaps of large lists",
  },
  maintenance_work_mem: {
    value: share(32, 32, 512),
    words: "a 32nd of the memory, at most 512 MB",
    why: "vacuum and the building of indexes",
  },
  checkpoint_timeout: {
    value: "15min",
    why: "fewer checkpoints, so fewer whole pages in the log; recovery after a crash stays within seconds",
  },
  max_wal_size: {
    value: "2GB",
    why: "the same: an import must not force a checkpoint each minute",
  },
  autovacuum_vacuum_scale_factor: {
    value: "0.05",
    why: "lists read many recent rows: dead ones among them are kept few",
  },
  autovacuum_vacuum_insert_scale_factor: {
    value: "0.05",
    why: "deep pages skip in the index alone what vacuum has seen. At PostgreSQL's 0.2 that leaves out the newest sixth of the records, where most lists begin",
  },
  autovacuum_naptime: { value: "15s", why: "so that both are noticed soon" },
  client_connection_check_interval: { value: "5s", why: "a query whose client is gone ends" },
  idle_in_transaction_session_timeout: {
    value: "5min",
    why: "so does a transaction that a dead client left open: it would hold up vacuum and the change feed",
  },
  log_error_verbosity: {
    value: "terse",
    why: "the details of an error contain the values of the row, such as an email address that exists already",
  },
  log_parameter_max_length: { value: "0", why: "parameters hold people's data" },
  log_parameter_max_length_on_error: { value: "0", why: "the same" },
};

const OURS: Readonly<Record<string, Value>> = {
  // Only this machine reaches it, and only with the password in the data folder.
  listen_addresses: "127.0.0.1",
  // For when another program has its port.
  unix_socket_directories: ({ socketFolder = "" }) => socketFolder,
  password_encryption: "scram-sha-256",
  // Both pools of the service and some room for commands beside it.
  max_connections: ({ connections }) => String(Math.max(60, connections + 30)),

  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",

  // A week of logs, a file for each day, each overwritten when its day comes again.
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

/** The settings as arguments of `postgres`, with their fingerprint as one more (`leadport.settings`). */
export function settingArguments(sizes: Sizes, version: string) {
  const settings = [
    ...Object.entries(OURS).map(([name, value]) => [name, valueOf(value, sizes)] as const),
    ...Object.entries(ADVISED).map(([name, { value }]) => [name, valueOf(value, sizes)] as const),
  ];
  const text = JSON.stringify([version, settings]);
  const fingerprint = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const all = [...settings, ["leadport.settings", fingerprint] as const];
  return { args: all.flatMap(([name, value]) => ["-c", `${name}=${value}`]), fingerprint };
}

/** The table of docs/operating.md, for a PostgreSQL of one's own. */
export const advisedMarkdown = (): string =>
  [
    "| setting | value | why |",
    "|---|---|---|",
    ...Object.entries(ADVISED).map(
      ([name, { value, words, why }]) =>
        `| \`${name}\` | ${words ?? `\`${valueOf(value, { memory_bytes: 0, connections: 0 })}\``} | ${why} |`,
    ),
  ].join("\n");
