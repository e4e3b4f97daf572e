/** What the operations of all record types share: dependencies, ids in paths, names, duplicates. */

import type { FastifyReply } from "fastify";
import { ON_DUPLICATE, scopeOf, type Caller, type OnDuplicate } from "../../access/index.ts";
import type { Database, Db, Horizon, Tx } from "../../platform/database/index.ts";
import type { Operation } from "../../platform/operations/index.ts";
import type { Given, Parameters, Schema } from "../../platform/validation/index.ts";
import { hasAddresses, type Written } from "../keys/index.ts";
import type { RecordType } from "../types/index.ts";
import { type Author, etagOf, type WriteDeps, type Writer } from "../write/index.ts";

export interface RecordsDeps extends WriteDeps {
  readonly db: Database;
  readonly horizon: Horizon;
  /** After how long a reader who takes nothing of a stream is cut. */
  readonly stall_ms?: number | undefined;
}

export type RecordOperation = Operation<Caller>;

/** On whose behalf a caller writes. */
export const authorOf = ({ tenant, person }: Caller): Author => ({
  country: tenant.default_country,
  person,
});

/** Who writes records of a type for a caller. */
export const writerOf = <D extends Db | Tx>(
  db: D,
  caller: Caller,
  deps: WriteDeps,
  type: RecordType,
): Writer<D> => ({ scope: scopeOf(db, caller), deps, author: authorOf(caller), type });

export const ON_DUPLICATE_PARAMETER = {
  on_duplicate: {
    kind: "choice",
    of: ON_DUPLICATE,
    description:
      "Where a record of this type has the same e-mail address or number: make another one (allow), " +
      "409 with existing_id (reject), answer it (return), or change it by what is sent (update). " +
      "The tenant's setting holds without. The header X-Result tells what was done.",
  },
} as const satisfies Parameters;

export const RESULT_HEADER = {
  "X-Result": "What was done: `created`, `updated`, `unchanged`, or `existing`.",
} as const;

/** What a creation does with a duplicate: what the request says, else what its tenant does. */
export const onDuplicateOf = (
  type: RecordType,
  { tenant }: Caller,
  { on_duplicate = tenant.on_duplicate }: Partial<Given<typeof ON_DUPLICATE_PARAMETER>>,
): OnDuplicate => (hasAddresses(type) ? on_duplicate : "allow");

/** Responds with a record that a key may have found: its version and what was done in headers. */
export function sendWritten(reply: FastifyReply, { bytes, result }: Written): Buffer {
  reply.header("etag", etagOf(bytes)).header("x-result", result);
  return bytes;
}

export const recordRef = (type: RecordType): Schema => ({ $ref: `${type.schemaName}Response#` });

/** What operations that read records of a type have in common. */
export const reading = ({ table: tag }: RecordType) =>
  ({ tag, permission: "records:read" }) as const;
/** What operations that write records of a type have in common. */
export const writing = ({ table: tag }: RecordType) =>
  ({ tag, permission: "records:write" }) as const;
/** What operations that answer one record have in common. */
export const answering = (type: RecordType) =>
  ({ answer: recordRef(type), answersRecord: true }) as const;

export const idPath = ({ idName, name }: RecordType) =>
  ({ [idName]: { kind: "text", max: 100, description: `The _id of a ${name}.` } }) as const;

/** `deals` of "/crm/deals": what operations on that path are called by. */
export const wordOf = (path: string): string => path.split("/")[2] ?? "";
/** `deal` of "/crm/deals". */
export const nounOf = (path: string): string => wordOf(path).replace(/ies$/, "ys").slice(0, -1);

/** The path of one record, to which its changes go. */
export const oneUrl = ({ writePath, idName }: RecordType): string => `${writePath}/:${idName}`;
