/**
 * Idempotency-Key support. The first response to a request is stored in the same transaction as the request's writes. A
 * repeated request gets the same bytes and writes nothing. Failed requests store nothing.
 */

import type { FastifyReply } from "fastify";
import sql from "sql-template-tag";
import { type Db, guardedBy, inOrder, run, transaction, type Tx } from "../database/index.ts";
import { retryWhileLocked } from "../failed-statements/index.ts";
import { AppError, ValidationError, type Issue } from "../errors/index.ts";
import type { Write } from "./operation.ts";
import type { Keys, Sealer } from "../secrets/index.ts";

/** How long Idempotency-Keys are stored, measured with the database's clock, which all processes share. */
const RETAINED_s = 86_400;
const AT_ONCE = 1000;
/** Headers that are stored with the response. All other headers are set individually for each response. */
const STORED_HEADERS = [
  "content-type",
  "etag",
  "x-result",
  "x-merge-id",
  "location",
  "link",
] as const;
export const IDEMPOTENCY_KEY = "Idempotency-Key";

/**
 * The credential that an Idempotency-Key belongs to. Different credentials can use the same key for different requests.
 */
export interface Credential {
  readonly tenantId: string;
  readonly id: string;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly credential: Credential;
  readonly key: string;
  readonly method: string;
  /** The path and query, exactly as sent. */
  readonly url: string;
  readonly body: Buffer;
  /** Whether the stored response is encrypted, because it contains a secret. */
  readonly isSecret: boolean;
  /** The status of a successful response. */
  readonly status: number;
}

/** Stores and replays the responses to keyed requests. */
export interface ResponseStore {
  /**
   * Returns the bytes of the stored response if there is one. Otherwise, calls `run` and returns
   * the bytes of its result. `run` must do all its writes through the `write` function that it
   * gets. Throws 409 while the first request is in progress, and 422 if the Idempotency-Key was
   * used for a different request.
   */
  readonly respond: (
    keyed: KeyedRequest,
    reply: FastifyReply,
    run: (write: Write) => Promise<unknown>,
  ) => Promise<Buffer>;
}

interface StoreDeps {
  readonly sql: Db;
  readonly sealer: Sealer;
}

interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A row of idempotency_keys. The body is encrypted if `is_sealed` is true. */
interface StoredRow extends StoredResponse {
  readonly fingerprint: Buffer;
  readonly is_sealed: boolean;
}

/**
 * Thrown if another request with the same Idempotency-Key completed after we looked for its response and before we
 * locked the key.
 */
class CompletedMeanwhile extends Error {
  readonly stored: StoredResponse;

  constructor(stored: StoredResponse) {
    super("Another request with the same key has completed");
    this.stored = stored;
  }
}

export const createResponseStore = (deps: StoreDeps): ResponseStore => ({
  respond: async (keyed, reply, run) => {
    const found = await findStored(guardedBy(reply.request, deps.sql), deps, keyed);
    if (found !== undefined) return replay(reply, found);
    let stored: Buffer | undefined;
    const write: Write = async (work) => {
      if (stored !== undefined) throw new Error("A keyed request writes once");
      const attempt = async (tx: Tx) => {
        await lockKey(tx, deps, keyed);
        const result = await work(tx);
        return { result, body: await store(tx, deps, keyed, { reply, result }) };
      };
      const sql = guardedBy(reply.request, deps.sql);
      const written = await retryWhileLocked(sql, () => transaction(sql, attempt));
      stored = written.body;
      return written.result;
    };
    try {
      const bytes = asBytes(await run(write));
      if (stored === undefined) throw new Error(`${keyed.method} ${keyed.url} stored no response`);
      // Work after the commit, such as the first delivery attempt to an endpoint, may have changed the response.
      if (!bytes.equals(stored)) await amend(deps, keyed, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof CompletedMeanwhile) return replay(reply, error.stored);
      for (const name of STORED_HEADERS) reply.removeHeader(name);
      throw error;
    }
  },
});

/**
 * Parses the Idempotency-Key header of a request. The key is visible ASCII, optionally in quotes as in the IETF draft.
 */
export function keyIn(given: string | readonly string[] | undefined): {
  readonly value: string | undefined;
  readonly issues: readonly Issue[];
} {
  if (given === undefined) return { value: undefined, issues: [] };
  const text = String(given);
  const quoted = /^"(?<inner>(?:[^"\\]|\\["\\])*)"$/.exec(text)?.groups?.["inner"];
  const value = quoted === undefined ? text : quoted.replaceAll(/\\(["\\])/g, "$1");
  const isOpen = quoted === undefined && text.startsWith('"');
  if (!isOpen && /^[\x21-\x7e]{1,255}$/.test(value)) return { value, issues: [] };
  const msg = "Value error, a key is 1 to 255 visible ASCII characters without spaces";
  return { value: undefined, issues: [keyIssue(msg, text)] };
}

const keyIssue = (msg: string, input: string): Issue => ({
  type: "value_error",
  loc: ["header", IDEMPOTENCY_KEY],
  msg,
  input,
});

/** Replays a stored response. The `Idempotency-Replayed` header distinguishes it from a new one. */
function replay(reply: FastifyReply, { status, headers, body }: StoredResponse): Buffer {
  reply.code(status).headers(headers).header("idempotency-replayed", "true");
  return body;
}

const asBytes = (result: unknown): Buffer =>
  Buffer.isBuffer(result) ? result : Buffer.from(JSON.stringify(result));

const JSON_TYPE = "application/json";
/** Returns the content type that Fastify would set for bytes or for a value that it serializes as JSON. */
const typeOf = (result: unknown): string =>
  Buffer.isBuffer(result) ? JSON_TYPE : `${JSON_TYPE}; charset=utf-8`;

const placeOf = ({ credential, key }: KeyedRequest): string =>
  `idempotency ${credential.id} ${key}`;

const fingerprintsOf = (
  { sealer }: StoreDeps,
  { credential, method, url, body }: KeyedRequest,
): Keys<Buffer> =>
  sealer.digests(credential.tenantId, Buffer.concat([Buffer.from(`${method} ${url}\n`), body]));

/** Finds the stored response for an Idempotency-Key. Throws 422 if the key belongs to a different request. */
async function findStored(
  db: Db | Tx,
  deps: StoreDeps,
  keyed: KeyedRequest,
): Promise<StoredResponse | undefined> {
  const { tenantId, id } = keyed.credential;
  const [row] = await run<StoredRow[]>(db)`
    select fingerprint, status, headers, body, is_sealed from idempotency_keys
     where tenant_id = ${tenantId} and credential = ${id} and key = ${keyed.key}
       and created_ts > extract(epoch from now())::bigint - ${RETAINED_s}::bigint`;
  if (row === undefined) return undefined;
  const { fingerprint, status, headers, body: stored, is_sealed } = row;
  if (!fingerprintsOf(deps, keyed).some((known) => known.equals(fingerprint))) {
    const msg =
      "Value error, this key was already used for a different request; use a new key, or repeat the original request";
    throw new ValidationError([keyIssue(msg, keyed.key)]);
  }
  const body = is_sealed
    ? Buffer.from(deps.sealer.open(tenantId, placeOf(keyed), stored.toString("latin1")))
    : stored;
  return { status, headers, body };
}

/**
 * Locks the Idempotency-Key until the transaction ends. A separate statement then reads its row, so that the
 * statement's snapshot includes the commit of the previous lock holder.
 */
async function lockKey(tx: Tx, deps: StoreDeps, keyed: KeyedRequest): Promise<void> {
  const place = `${keyed.credential.tenantId} ${placeOf(keyed)}`;
  const locking = run(
    tx,
  )`select pg_try_advisory_xact_lock(hashtextextended(${place}, 0)) as is_taken`;
  const [[lock], stored] = await inOrder(locking, findStored(tx, deps, keyed));
  if (stored !== undefined) throw new CompletedMeanwhile(stored);
  if (lock?.["is_taken"] !== true) {
    throw new AppError("key_in_use", { headers: { "retry-after": "1" } });
  }
}

/** Stores a response with its headers. Replaces an expired response. */
async function store(
  tx: Tx,
  deps: StoreDeps,
  keyed: KeyedRequest,
  { reply, result }: { readonly reply: FastifyReply; readonly result: unknown },
): Promise<Buffer> {
  const body = asBytes(result);
  reply.header("content-type", typeOf(result));
  const headers = STORED_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const { tenantId, id } = keyed.credential;
  const [fingerprint] = fingerprintsOf(deps, keyed);
  const { count } = await run(tx)`
    insert into idempotency_keys as k (tenant_id, credential, key, fingerprint, status, headers, body,
                                       is_sealed, created_ts)
    values (${tenantId}, ${id}, ${keyed.key}, ${fingerprint}, ${keyed.status},
            ${JSON.stringify(Object.fromEntries(headers))}::text::json, ${storedBody(deps, keyed, body)},
            ${keyed.isSecret}, extract(epoch from now())::bigint)
        on conflict (tenant_id, credential, key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status,
           headers = excluded.headers, body = excluded.body,
           is_sealed = excluded.is_sealed, created_ts = excluded.created_ts
     where k.created_ts <= extract(epoch from now())::bigint - ${RETAINED_s}::bigint`;
  if (count !== 1) throw new Error("An Idempotency-Key was used twice under its lock");
  return body;
}

async function amend(deps: StoreDeps, keyed: KeyedRequest, body: Buffer): Promise<void> {
  const { tenantId, id } = keyed.credential;
  const [fingerprint] = fingerprintsOf(deps, keyed);
  await run(deps.sql)`
    update idempotency_keys set body = ${storedBody(deps, keyed, body)}
     where tenant_id = ${tenantId} and credential = ${id} and key = ${keyed.key}
       and fingerprint = ${fingerprint}`;
}

const storedBody = ({ sealer }: StoreDeps, keyed: KeyedRequest, body: Buffer): Buffer =>
  keyed.isSecret
    ? Buffer.from(
        sealer.seal(keyed.credential.tenantId, placeOf(keyed), body.toString("utf8")),
        "latin1",
      )
    : body;

/** Deletes a batch of expired responses. Returns whether there were any. */
export async function deleteOldResponses(db: Db): Promise<boolean> {
  const isOld = sql`created_ts <= extract(epoch from now())::bigint - ${RETAINED_s}::bigint`;
  const { count } = await run(db)`
    with old as (
      select tenant_id, credential, key from idempotency_keys
       where ${isOld} order by created_ts limit ${AT_ONCE})
    delete from idempotency_keys k using old o
     where k.tenant_id = o.tenant_id and k.credential = o.credential and k.key = o.key
       and k.${isOld}`;
  return count > 0;
}
