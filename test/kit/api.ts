/** Starts the real app on a free port with a fresh database, and provides clients for it. */

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccessToken, type Permission } from "../../src/access/index.ts";
import { createTenant } from "../../src/access/create-tenant.ts";
import { buildApp } from "../../src/service/app.ts";
import type { Spool } from "../../src/files/spool/index.ts";
import type { Participant } from "../../src/records/store/index.ts";
import { startWorker } from "../../src/service/worker.ts";
import { openPages } from "../../src/platform/http/static-files.ts";
import { createOutgoing } from "../../src/platform/outgoing/outgoing.ts";
import { SERVICE } from "../../src/audit/index.ts";
import { systemClock, type Clock } from "../../src/platform/clock/clock.ts";
import { createLog } from "../../src/platform/http/log.ts";
import { NO_MAIL, type Mailer } from "../../src/platform/outgoing/mail.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import type { Tracing } from "../../src/platform/tracing/index.ts";
import type { MasterKey } from "../../src/platform/secrets/master-key.ts";
import { BUILT_PAGES } from "./built-pages.ts";
import { migratedDatabase } from "./database.ts";
import { atEnd, openPools, type Owner } from "./started.ts";
import type { TestSql } from "./sql.ts";
import { assigned } from "../../src/platform/database/index.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined if the body is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  readonly body: any;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** `authorization: null` sends no credential. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer | undefined;
}

export interface Stamps {
  readonly created_ts?: number;
  readonly updated_ts?: number;
  readonly status_update_date?: number;
}

type Query = Readonly<Record<string, unknown>>;

/** A client that sends one token. */
export class Client {
  readonly url: string;
  readonly bearer: string;
  readonly tenantId: string;
  readonly personId: string;
  readonly #grant: (permissions: readonly string[]) => Promise<Client>;

  constructor(
    url: string,
    bearer: string,
    tenantId: string,
    personId: string,
    grant: (permissions: readonly string[]) => Promise<Client>,
  ) {
    this.url = url;
    this.bearer = bearer;
    this.tenantId = tenantId;
    this.personId = personId;
    this.#grant = grant;
  }

  /** Returns a client for the same tenant that uses a new token. */
  token(permissions: readonly string[]): Promise<Client> {
    return this.#grant(permissions);
  }

  get(path: string, query: Query = {}): Promise<Answer> {
    return this.request({ method: "GET", path: path + queryString(query) });
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.#send("POST", path, body);
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.#send("PUT", path, body);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.#send("PATCH", path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.request({ method: "DELETE", path });
  }

  #send(method: string, path: string, body: unknown): Promise<Answer> {
    if (body === undefined) return this.request({ method, path });
    const headers = { "content-type": "application/json" };
    return this.request({ method, path, headers, body: JSON.stringify(body) });
  }

  async request({ method, path, headers = {}, body }: RawRequest): Promise<Answer> {
    const sent = { authorization: `Bearer ${this.bearer}`, ...headers };
    const answer = await fetch(this.url + path, {
      method,
      headers: Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== null),
      redirect: "manual",
      ...(body !== undefined && { body: body as string }),
    });
    const text = await textOf(answer);
    return { status: answer.status, headers: answer.headers, body: parsed(text), text };
  }
}

/** Returns a response's text. An event stream never ends, so only its first bytes are returned. */
async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    return answer.text();
  }
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the query string `?a=1&b=…`. Objects are sent as JSON, and undefined values are omitted. */
export function queryString(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  const texts = given.map(([name, value]) => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  return `?${new URLSearchParams(texts as [string, string][]).toString()}`;
}

export interface Api {
  readonly url: string;
  readonly sql: TestSql;
  readonly databaseUrl: string;
  /** The log output of the service so far. */
  readonly log: () => string;
  /** Creates a tenant and returns a client with its owner's token. */
  readonly tenant: () => Promise<Client>;
  /** Changes a stored record's timestamps, in both its body and its columns. */
  readonly restamp: (table: string, id: string, stamps: Stamps) => Promise<void>;
  /** Stops the service, which saves its counts before it exits. The database keeps running. */
  readonly stop: () => Promise<void>;
}

export interface ApiOptions {
  readonly clock?: Clock;
  readonly trustedProxies?: readonly string[];
  readonly listTimeout_ms?: number;
  /** The master keys, newest first. Default: a random key. */
  readonly keys?: MasterKey;
  /** Private hosts that outgoing requests may reach. Default: this machine. */
  readonly outgoingAllow?: readonly string[];
  /** Private hosts that URLs configured by partners may reach. Default: this machine. */
  readonly partnerAllow?: readonly string[];
  /** The name servers to use. Default: the machine's own. */
  readonly nameServers?: readonly string[];
  /** Requests per minute and credential. Default: the installation's default. */
  readonly rateLimit?: number;
  /** Requests per minute and address for requests without a credential. Default: unlimited. */
  readonly anonymousRateLimit?: number;
  readonly mailer?: Mailer;
  /** The base URL for links. */
  readonly publicUrl?: string;
  /** Where uploads that must be read twice are stored. Default: they are not stored. */
  readonly importSpool?: Spool;
  /** Whether background work runs as well. */
  readonly works?: boolean;
  /** Whether the built pages are served as well. */
  readonly hasPages?: boolean;
  /** Traces are sent only if this option is set. */
  readonly tracing?: Tracing | undefined;
  /** The parts that modules take in writing records. Default: those of the exchange. */
  readonly participants?: readonly Participant[];
  /** The path of the erasure log. Default: a temporary file. Null means no log. */
  readonly erasureLog?: string | null;
}

export async function startApi(t: Owner, options: ApiOptions = {}): Promise<Api> {
  const { clock = systemClock(), trustedProxies = [], listTimeout_ms = 10_000 } = options;
  const { sql, url: databaseUrl } = await migratedDatabase(t);
  const db = openPools(t, { url: databaseUrl, connections: 4, listTimeout_ms });
  const logged: string[] = [];
  const log = createLog("info", { write: (line: string) => void logged.push(line) });
  const { keys = { all: [randomBytes(32)] } } = options;
  const { outgoingAllow = ["127.0.0.1", "localhost"] } = options;
  const { partnerAllow = ["127.0.0.1", "localhost"] } = options;
  const { nameServers = [] } = options;
  const outgoing = createOutgoing({ allow: outgoingAllow, partnerAllow, nameServers });
  atEnd(t, () => outgoing.close());
  const { rateLimit = 6000, anonymousRateLimit = 0 } = options;
  const limits = { rateLimit, anonymousRateLimit, deliveryRetention_days: 30 };
  const { mailer = NO_MAIL, publicUrl } = options;
  const logFile = join(tmpdir(), `leadport-erasures-${randomBytes(8).toString("hex")}.ndjson`);
  const { erasureLog = logFile } = options;
  atEnd(t, () => rm(logFile, { force: true }));
  const config = {
    trustedProxies,
    outgoingAllow,
    publicUrl,
    ...limits,
    ...(erasureLog !== null && { erasureLog }),
  };
  const { tracing, participants } = options;
  const service = {
    db,
    config,
    clock,
    keys,
    log,
    outgoing,
    partnerAllow,
    mailer,
    tracing,
    participants,
  };
  const pages = options.hasPages === true ? openPages(BUILT_PAGES) : undefined;
  const app = await buildApp({ ...service, pages, importSpool: options.importSpool });
  const stop = async (): Promise<void> => {
    app.server.closeAllConnections();
    await app.close();
  };
  atEnd(t, stop);
  if (options.works === true) {
    const worker = await startWorker(service);
    atEnd(t, () => worker.stop());
  }
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const deps = { clock, makeId: idSource(clock) };
  let tenants = 0;
  const tenant = async (): Promise<Client> => {
    const name = `Tenant ${++tenants}`;
    const { tenant: made, owner, ownerToken } = await createTenant(sql, deps, { name });
    const grant = async (permissions: readonly string[]): Promise<Client> => {
      const scope = { db: sql, tenantId: made.id, actor: SERVICE };
      const { token } = await createAccessToken(scope, deps, {
        name: permissions.join(" "),
        person: owner,
        permissions: permissions as Permission[],
      });
      return new Client(url, token, made.id, owner.id, grant);
    };
    return new Client(url, ownerToken, made.id, owner.id, grant);
  };
  return {
    url,
    sql,
    databaseUrl,
    log: () => logged.join(""),
    tenant,
    restamp: (table, id, stamps) => restamp(sql, table, id, stamps),
    stop,
  };
}

const DATES = {
  created_ts: "created_date",
  updated_ts: "updated_date",
  status_update_date: "status_updated_date",
} as const;

async function restamp(sql: TestSql, table: string, id: string, stamps: Stamps): Promise<void> {
  const [row] = await sql`select body from ${sql(table)} where id = ${id}`;
  const body: Record<string, unknown> = { ...(row?.["body"] as object), ...stamps };
  for (const [stamp, date] of Object.entries(DATES)) {
    const seconds = body[stamp] as number;
    body[date] = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  }
  if ("timestamp" in body) body["timestamp"] = body["created_ts"];
  await sql`
    update ${sql(table)} set ${assigned(stamps)}, body = ${JSON.stringify(body)}::text::json
     where id = ${id}`;
}
