/** What record operations have in common: dependencies, ids in paths, names, and duplicate handling. */

import type { FastifyReply } from "fastify";
import { ON_DUPLICATE, type OnDuplicate } from "../../tenants/index.ts";
import type { Database, Db, Tx } from "../../platform/database/index.ts";
import type { Horizon } from "../../audit/index.ts";
import type { Operation } from "../../platform/operations/index.ts";
import type { Given, Parameters, Schema } from "../../platform/validation/index.ts";
import { hasAddresses, type Written } from "../keys/index.ts";
import { type RecordType, type RecordTypes, typeOf } from "../types/index.ts";
import type { Author, WriteDeps, Writer } from "../store/index.ts";
import { etagOf } from "../write/index.ts";
import { scopeOf, type Caller } from "../../access/index.ts";
import { once } from "../../platform/cache/index.ts";

export interface RecordsDeps extends WriteDeps {
  readonly db: Database;
  readonly horizon: Horizon;
  /** The types that the operations are described with. */
  readonly types: RecordTypes;
  /** A stream is closed if the client reads nothing for this long. */
  readonly stall_ms?: number | undefined;
}

export type RecordOperation = Operation<Caller>;

/** Returns the author of writes by a caller. */
export const authorOf = ({ tenant, person }: Caller): Author => ({
  country: tenant.default_country,
  person,
});

/** Returns a writer for records of a type, on behalf of a caller. */
export const writerOf = <D extends Db | Tx>(
  db: D,
  caller: Caller,
  deps: WriteDeps,
  type: RecordType,
): Writer<D> => ({
  scope: scopeOf(db, caller),
  deps,
  author: authorOf(caller),
  type: typeFor(caller, type),
});

/** A caller of the tenant's own or of a partner. */
type OfTenant = Pick<Caller, "tenant">;

/** Returns the type of the caller's tenant for the type that an operation is described with. */
export const typeFor = ({ tenant }: OfTenant, { name }: RecordType): RecordType =>
  typeOf({ tenantId: tenant.id }, name);

/**
 * Returns the parts of an operation that depend on the type's fields: its query and body. They describe the operation
 * with the given type, and check each request with the type of the caller's tenant.
 */
export function partsFor<const P extends object>(type: RecordType, make: (type: RecordType) => P) {
  const partsOf = once(make);
  const forCaller = (caller: OfTenant) => partsOf(typeFor(caller, type));
  return { ...partsOf(type), forCaller };
}

export const ON_DUPLICATE_PARAMETER = {
  on_duplicate: {
    kind: "choice",
    of: ON_DUPLICATE,
    description:
      "What to do if a record of this type has the same email or phone number: create another one (`allow`), " +
      "fail with 409 and `existing_id` (`reject`), return it (`return`), or update it (`update`). Default: the " +
      "tenant's setting. `X-Result` states what was done.",
  },
} as const satisfies Parameters;

export const RESULT_HEADER = {
  "X-Result": "The outcome: `created`, `updated`, `unchanged` or `existing`.",
} as const;

/**
 * Returns how a create request handles duplicates: as the request specifies or, by default, as the tenant has
 * configured.
 */
export const onDuplicateOf = (
  type: RecordType,
  { tenant }: Caller,
  { on_duplicate = tenant.on_duplicate }: Partial<Given<typeof ON_DUPLICATE_PARAMETER>>,
): OnDuplicate => (hasAddresses(type) ? on_duplicate : "allow");

/** Sends a written record. Its version and the result are in headers. */
export function sendWritten(reply: FastifyReply, { bytes, result }: Written): Buffer {
  reply.header("etag", etagOf(bytes)).header("x-result", result);
  return bytes;
}

export const recordRef = (type: RecordType): Schema => ({ $ref: `${type.schemaName}Response#` });

/** The properties that all operations that read records have in common. */
export const reading = ({ table: tag }: RecordType) =>
  ({ tag, permission: "records:read" }) as const;
/** The properties that all operations that write records have in common. */
export const writing = ({ table: tag }: RecordType) =>
  ({ tag, permission: "records:write" }) as const;
/** The properties that all operations that return a single record have in common. */
export const answering = (type: RecordType) =>
  ({ answer: recordRef(type), returnsRecord: true }) as const;

export const idPath = ({ idName, name }: RecordType) =>
  ({ [idName]: { kind: "text", max: 100, description: `The id of the ${name}.` } }) as const;

/** Returns the plural noun for a path, such as "deals" for "/crm/deals". Operation ids and summaries contain it. */
export const wordOf = (path: string): string => path.split("/")[2] ?? "";
/** Returns the singular noun for a path, such as "deal" for "/crm/deals". */
export const nounOf = (path: string): string => wordOf(path).replace(/ies$/, "ys").slice(0, -1);

/** Returns the path of a single record. */
export const oneUrl = ({ writePath, idName }: RecordType): string => `${writePath}/:${idName}`;
