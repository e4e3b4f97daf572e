/**
 * Idempotency-Key: the first answer to a request is stored in the transaction of what the request
 * writes, and a repeat gets the same bytes and writes nothing. A refused request stores nothing.
 */

import type { FastifyReply } from "fastify";
import sql from "sql-template-tag";
import {
  type Db,
  guardedBy,
  inOrder,
  run,
  transaction,
  type Tx,
  untilFree,
} from "../database/index.ts";
import { AppError, ValidationError, type Issue } from "../errors/index.ts";
import type { Write } from "./operation.ts";
import type { Sealer } from "../secrets/index.ts";

/** How long a key is remembered, by the database's clock: it is the same for all processes. */
const KEPT_s = 86_400;
const AT_ONCE = 1000;
/** Headers that belong to an answer; the others belong to the request that carries it. */
const ANSWER_HEADERS = [
  "content-type",
  "etag",
  "x-result",
  "x-merge-id",
  "location",
  "link",
] as const;
export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Whose keys these are: two credentials may use the same one for different requests. */
export interface Credential {
  readonly tenantId: string;
  readonly id: string;
}

/** A request that carries a key. */
export interface KeyedRequest {
  readonly credential: Credential;
  readonly key: string;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly body: Buffer;
  /** The answer holds a secret, and is stored sealed. */
  readonly isSecret: boolean;
  /** The status of success. */
  readonly status: number;
}

/** Answers keyed requests. */
export interface AnswerKeeper {
  /**
   * The bytes to answer: those of the first answer, or what `run` leads to, which must write all that
   * it writes by the `write` it is given. Throws 409 while the first is being answered, and 422 where
   * the key was used for another request.
   */
  readonly answer: (
    keyed: KeyedRequest,
    reply: FastifyReply,
    run: (write: Write) => Promise<unknown>,
  ) => Promise<Buffer>;
}

interface KeeperDeps {
  readonly sql: Db;
  readonly sealer: Sealer;
}

interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Somebody else answered between the look-up and the lock. */
class AnsweredMeanwhile extends Error {
  readonly kept: KeptAnswer;

  constructor(kept: KeptAnswer) {
    super("The request was answered meanwhile");
    this.kept = kept;
  }
}

export const createAnswerKeeper = (deps: KeeperDeps): AnswerKeeper => ({
  answer: async (keyed, reply, run) => {
    const found = await findKept(guardedBy(reply.request, deps.sql), deps, keyed);
    if (found !== undefined) return replay(reply, found);
    let stored: Buffer | undefined;
    const write: Write = async (work) => {
      if (stored !== undefined) throw new Error("A keyed request writes once");
      const attempt = async (tx: Tx) => {
        await lockKey(tx, deps, keyed);
        const result = await work(tx);
        return { result, body: await keep(tx, deps, keyed, { reply, result }) };
      };
      const sql = guardedBy(reply.request, deps.sql);
      const written = await untilFree(sql, () => transaction(sql, attempt));
      stored = written.body;
      return written.result;
    };
    try {
      const bytes = asBytes(await run(write));
      if (stored === undefined) throw new Error(`${keyed.method} ${keyed.url} stored no answer`);
      // What happened after the commit (an endpoint's first outcome) may have changed the answer.
      if (!bytes.equals(stored)) await amend(deps, keyed, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof AnsweredMeanwhile) return replay(reply, error.kept);
      for (const name of ANSWER_HEADERS) reply.removeHeader(name);
      throw error;
    }
  },
});

/** The key of a request, or what is wrong with it: visible ASCII, also as the draft's quoted string. */
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

/** A replay is a look-up and nothing else; the header tells it from work that was done. */
function replay(reply: FastifyReply, { status, headers, body }: KeptAnswer): Buffer {
  reply.code(status).headers(headers).header("idempotency-replayed", "true");
  return body;
}

const asBytes = (answer: unknown): Buffer =>
  Buffer.isBuffer(answer) ? answer : Buffer.from(JSON.stringify(answer));

const JSON_TYPE = "application/json";
/** What the server says of bytes that are passed through, and of an answer that it writes as JSON. */
const typeOf = (answer: unknown): string =>
  Buffer.isBuffer(answer) ? JSON_TYPE : `${JSON_TYPE}; charset=utf-8`;

const placeOf = ({ credential, key }: KeyedRequest): string =>
  `idempotency ${credential.id} ${key}`;

const fingerprintsOf = (
  { sealer }: KeeperDeps,
  { credential, method, url, body }: KeyedRequest,
): readonly Buffer[] =>
  sealer.digests(credential.tenantId, Buffer.concat([Buffer.from(`${method} ${url}\n`), body]));

/** The answer that is stored under a key; throws 422 where it is another request's. */
async function findKept(
  db: Db | Tx,
  deps: KeeperDeps,
  keyed: KeyedRequest,
): Promise<KeptAnswer | undefined> {
  const { tenantId, id } = keyed.credential;
  const [row] = await run(db)`
    select fingerprint, status, headers, body, is_sealed from idempotency_keys
     where tenant_id = ${tenantId} and credential = ${id} and key = ${keyed.key}
       and created_ts > extract(epoch from now())::bigint - ${KEPT_s}::bigint`;
  if (row === undefined) return undefined;
  const fingerprint = row["fingerprint"] as Buffer;
  if (!fingerprintsOf(deps, keyed).some((known) => known.equals(fingerprint))) {
    const msg =
      "Value error, this key was used for another request: send a new key, or the same request again";
    throw new ValidationError([keyIssue(msg, keyed.key)]);
  }
  const stored = row["body"] as Buffer;
  const body =
    row["is_sealed"] === true
      ? Buffer.from(deps.sealer.open(tenantId, placeOf(keyed), stored.toString("latin1")))
      : stored;
  return {
    status: row["status"] as number,
    headers: row["headers"] as KeptAnswer["headers"],
    body,
  };
}

/**
 * Takes the key until the transaction ends. The row is asked for in a statement of its own, behind the
 * lock: its snapshot shows what the one who held the key before has committed.
 */
async function lockKey(tx: Tx, deps: KeeperDeps, keyed: KeyedRequest): Promise<void> {
  const place = `${keyed.credential.tenantId} ${placeOf(keyed)}`;
  // Sent here, before the row is asked for: a query is otherwise sent when it is awaited.
  const locking = run(
    tx,
  )`select pg_try_advisory_xact_lock(hashtextextended(${place}, 0)) as is_taken`.execute();
  const [[lock], kept] = await inOrder(locking, findKept(tx, deps, keyed));
  if (kept !== undefined) throw new AnsweredMeanwhile(kept);
  if (lock?.["is_taken"] !== true) {
    throw new AppError("key_in_use", { headers: { "retry-after": "1" } });
  }
}

/** Stores an answer with the headers that belong to it, in the place of one that is too old. */
async function keep(
  tx: Tx,
  deps: KeeperDeps,
  keyed: KeyedRequest,
  { reply, result }: { readonly reply: FastifyReply; readonly result: unknown },
): Promise<Buffer> {
  const body = asBytes(result);
  reply.header("content-type", typeOf(result));
  const headers = ANSWER_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const { tenantId, id } = keyed.credential;
  const [fingerprint] = fingerprintsOf(deps, keyed);
  const kept = await run(tx)`
    insert into idempotency_keys as k (tenant_id, credential, key, fingerprint, status, headers, body,
                                       is_sealed, created_ts)
    values (${tenantId}, ${id}, ${keyed.key}, ${fingerprint}, ${keyed.status},
            ${JSON.stringify(Object.fromEntries(headers))}::text::json, ${storedBody(deps, keyed, body)},
            ${keyed.isSecret}, extract(epoch from now())::bigint)
        on conflict (tenant_id, credential, key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status,
           headers = excluded.headers, body = excluded.body,
           is_sealed = excluded.is_sealed, created_ts = excluded.created_ts
     where k.created_ts <= extract(epoch from now())::bigint - ${KEPT_s}::bigint`;
  if (kept.count !== 1) throw new Error("A key was used twice under its lock");
  return body;
}

async function amend(deps: KeeperDeps, keyed: KeyedRequest, body: Buffer): Promise<void> {
  const { tenantId, id } = keyed.credential;
  const [fingerprint] = fingerprintsOf(deps, keyed);
  await deps.sql`
    update idempotency_keys set body = ${storedBody(deps, keyed, body)}
     where tenant_id = ${tenantId} and credential = ${id} and key = ${keyed.key}
       and fingerprint = ${fingerprint as Buffer}`;
}

const storedBody = ({ sealer }: KeeperDeps, keyed: KeyedRequest, body: Buffer): Buffer =>
  keyed.isSecret
    ? Buffer.from(
        sealer.seal(keyed.credential.tenantId, placeOf(keyed), body.toString("utf8")),
        "latin1",
      )
    : body;

/** Removes some responses that are too old; whether there were any. */
export async function forgetAnswers(db: Db): Promise<boolean> {
  const isOld = sql`created_ts <= extract(epoch from now())::bigint - ${KEPT_s}::bigint`;
  const { count } = await run(db)`
    with old as (
      select tenant_id, credential, key from idempotency_keys
       where ${isOld} order by created_ts limit ${AT_ONCE})
    delete from idempotency_keys k using old o
     where k.tenant_id = o.tenant_id and k.credential = o.credential and k.key = o.key
       and k.${isOld}`;
  return count > 0;
}
