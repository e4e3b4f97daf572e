/** Exports over HTTP. */

import { finished } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Caller } from "../access/index.ts";
import { epochSeconds, type Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { Operation } from "../platform/operation.ts";
import { Places } from "../platform/places.ts";
import { EXPORT_PARAMETERS, exportSql, recordTypes, type RecordType } from "../records/index.ts";
import { ExportTurns } from "./export-turns.ts";
import { openExport } from "./export.ts";
import type { Format } from "./rows.ts";
import type { Spool } from "./temporary-files.ts";
import { CONTENT_TYPES } from "./write.ts";

export interface ExportDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly stall_ms?: number | undefined;
  readonly spool?: Spool | undefined;
}

/** Exports that run, wait for their turn, or are sent from a file. */
const PLACES = { credential: 10, tenant: 20, process: 100 };

const EXPORT_QUERY = {
  format: { kind: "choice", of: ["csv", "ndjson"], description: "The file's format; csv." },
  ...EXPORT_PARAMETERS,
} as const;

export function exportOperations(deps: ExportDeps): readonly Operation<Caller>[] {
  const places = new Places("exports", PLACES);
  const turns = new ExportTurns();
  return recordTypes.map((type) => exportOf(deps, type, places, turns));
}

function exportOf(
  { db, clock, stall_ms, spool }: ExportDeps,
  type: RecordType,
  places: Places,
  turns: ExportTurns,
): Operation<Caller> {
  const path = type.lists["all"]?.path ?? "";
  return {
    method: "GET",
    url: `${path}/export`,
    id: `export_${type.table}`,
    summary: `Export ${type.table} of one moment, as CSV or NDJSON`,
    tag: "files",
    permission: "records:read",
    query: EXPORT_QUERY,
    answer: { type: "string" },
    run: async ({ caller, query: given, reply }) => {
      const { format = "csv", ...asked } = given as { readonly format?: Format };
      const query = exportSql({
        tenantId: caller.tenant.id,
        type,
        query: asked,
        country: caller.tenant.default_country,
        now_s: epochSeconds(clock),
      });
      places.takeFor(caller, reply);
      const left = signalOfEnd(reply);
      const takeTurn = () => turns.take(caller.tenant.id, left);
      const file = await openExport({
        db: db.lists,
        type,
        format,
        query,
        stall_ms,
        spool,
        takeTurn,
      });
      reply.type(CONTENT_TYPES[format]);
      reply.header("content-disposition", `attachment; filename="${type.table}.${format}"`);
      return file;
    },
  };
}

/** Aborted when the response has ended, or its reader has left. */
function signalOfEnd({ raw }: FastifyReply): AbortSignal {
  const ended = new AbortController();
  finished(raw, () => ended.abort());
  return ended.signal;
}
