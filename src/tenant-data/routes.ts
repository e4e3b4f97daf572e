/**
 * `/crm/admin/tenant/exports`: lets owners download their tenant as a file (docs/moving-a-tenant.md). Leadport stores
 * neither the file nor its key. The key is derived from the master key and the id of the download.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type { Logger } from "pino";
import { type Caller, scopeOf } from "../access/index.ts";
import { changedFields, logChange, type TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import {
  copyConnection,
  type Database,
  type Db,
  transaction,
  type Tx,
} from "../platform/database/index.ts";
import { AppError, asError } from "../platform/errors/index.ts";
import { closeWhenStalled, ConcurrencyLimit } from "../platform/http/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import {
  createSealer,
  deriveKey,
  type MasterKey,
  type TransferKey,
  transferKeyFrom,
} from "../platform/secrets/index.ts";
import {
  integer,
  objectSchema,
  type Schemas,
  string,
  withDates,
} from "../platform/schemas/index.ts";
import { isAsOwner } from "../people/index.ts";
import { exportTenant } from "./export.ts";

export interface TenantExportDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly keys: MasterKey;
  readonly log: Pick<Logger, "warn">;
  readonly stall_ms?: number | undefined;
  /** Tables that are not part of the file. */
  readonly excludedTables: readonly string[];
}

/** How long after its creation a download can be started. */
const VALID_s = 3600;
const STALL_ms = 60_000;
/**
 * The maximum number of concurrent downloads. It is low, because each download holds a snapshot and reads all tables.
 */
const PLACES = { credential: 1, tenant: 1, process: 4 };

/** Named schemas in openapi.json. */
export const tenantExportSchemas: Schemas = {
  TenantExport: objectSchema({
    id: string("The id."),
    transfer_key: string("The key needed to import the file. Shown only in this response."),
    download: string("The path of the file."),
    expires_ts: integer("When the download link expires, in epoch seconds."),
    expires_date: { type: "string" },
  }),
};

const COMMON = {
  url: "/crm/admin/tenant/exports",
  tag: "administration",
  permission: "admin",
} as const;

export function tenantExportOperations(deps: TenantExportDeps): readonly Operation<Caller>[] {
  const running = new ConcurrencyLimit("downloads of a tenant", PLACES);
  const { db, clock } = deps;
  return [
    operation({
      ...COMMON,
      method: "POST",
      id: "create_tenant_export",
      summary: "Prepare a download of everything",
      description:
        "Returns the path of a file with all of the tenant's data, and the key needed to import it. Only for owners.",
      keyless: true,
      secretResponse: true,
      answer: { $ref: "TenantExport#" },
      failures: { 404: NOT_OWNER },
      run: async ({ caller, write }) => {
        mustBeOwner(caller);
        const id = issueId(deps, caller.tenant.id);
        await write((sql) => note(deps, sql, caller, { id, action: "export_prepared" }));
        return withDates({
          id,
          transfer_key: keyOf(deps, caller.tenant.id, id).text,
          download: `${COMMON.url}/${id}`,
          expires_ts: epochSeconds(clock) + VALID_s,
        });
      },
    }),
    operation({
      ...COMMON,
      method: "GET",
      url: `${COMMON.url}/:export_id`,
      id: "download_tenant",
      summary: "Download everything",
      description:
        "Returns a tenant file, a consistent snapshot that another installation can import. Only for owners.",
      path: {
        export_id: { kind: "text", max: 100, description: "The id of the prepared download." },
      },
      answer: {},
      files: { returned: ["application/zip"] },
      answerHeaders: {
        "Content-Disposition":
          'The suggested file name, for example `attachment; filename="acme.tenant.zip"`.',
      },
      noStore: true,
      failures: {
        404: "You are not an owner of the tenant, or the download was prepared more than an hour ago.",
      },
      run: async ({ caller, path, reply }) => {
        mustBeOwner(caller);
        const tenantId = caller.tenant.id;
        mustBeValid(deps, tenantId, path.export_id);
        running.enter(caller, reply);
        await note(deps, db.sql, caller, { id: path.export_id, action: "exported" });
        const file = await openFile(deps, tenantId, keyOf(deps, tenantId, path.export_id));
        closeWhenStalled(reply, deps.stall_ms ?? STALL_ms);
        reply.type("application/zip");
        reply.header("content-disposition", 'attachment; filename="business.tenant.zip"');
        return file;
      },
    }),
  ];
}

const NOT_OWNER = "You are not an owner of the tenant.";

/**
 * Throws 404 if the caller is not an owner. The file contains all secrets of the tenant, so no other role or permission
 * is sufficient.
 */
function mustBeOwner(caller: Caller): void {
  if (isAsOwner(caller)) return;
  throw new AppError("not_found", { detail: "Only owners can download everything" });
}

interface Noted {
  readonly id: string;
  readonly action: string;
}

const note = (
  { makeId }: TenantExportDeps,
  sql: Db | Tx,
  caller: Caller,
  { id, action }: Noted,
): Promise<void> =>
  transaction(sql, (tx) =>
    logChange(scopeOf(tx, caller), makeId, {
      subjectType: "tenant",
      subjectId: caller.tenant.id,
      action,
      fields: changedFields({}, { export_id: id }),
    }),
  );

/**
 * The id of a download: 24 hexadecimal digits that include the time of creation, followed by a signature that is
 * specific to the tenant.
 */
const ID = /^([0-9a-f]{8})[0-9a-f]{16}[0-9a-f]{32}$/;
const SIGNED_from = 24;

const issueId = (deps: TenantExportDeps, tenantId: TenantId): string => {
  const id = deps.makeId();
  return id + signatureOf(deps, tenantId, id);
};

function signatureOf({ keys }: TenantExportDeps, tenantId: TenantId, id: string): string {
  const key = deriveKey(keys.all[0], "tenant export ids", tenantId);
  return createHmac("sha256", key).update(id).digest("hex").slice(0, 32);
}

/** Throws 404 for an id that was not issued to the tenant or was issued more than an hour ago. */
function mustBeValid(deps: TenantExportDeps, tenantId: TenantId, id: string): void {
  const [, seconds] = ID.exec(id) ?? [];
  if (seconds === undefined) throw new AppError("not_found");
  const expected = signatureOf(deps, tenantId, id.slice(0, SIGNED_from));
  const isOurs = timingSafeEqual(Buffer.from(expected), Buffer.from(id.slice(SIGNED_from)));
  const isValid = Number.parseInt(seconds, 16) + VALID_s > epochSeconds(deps.clock);
  if (!isOurs || !isValid) throw new AppError("not_found");
}

const keyOf = ({ keys }: TenantExportDeps, tenantId: TenantId, id: string): TransferKey =>
  transferKeyFrom(deriveKey(keys.all[0], "tenant export", `${tenantId} ${id}`));

/** Opens the file as a stream. Resolves when its first bytes are available. A later failure destroys the stream. */
async function openFile(
  { db, keys, log, excludedTables: excluded }: TenantExportDeps,
  tenantId: TenantId,
  key: TransferKey,
): Promise<Readable> {
  const single = copyConnection(db.sql);
  const file = new PassThrough();
  const left = new AbortController();
  file.once("close", () => left.abort());
  const { signal } = left;
  const options = { tenantId, excluded, sealer: createSealer(keys), key, signal };
  exportTenant(single, options, file)
    .catch((error: unknown) => {
      if (!left.signal.aborted) log.warn({ err: error }, "A download of a tenant failed");
      file.destroy(asError(error));
    })
    .finally(() => void single.end({ timeout: 1 }));
  await once(file, "readable");
  return file;
}
