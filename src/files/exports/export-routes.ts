/** Operations that export records. */

import { finished } from "node:stream";
import type { FastifyReply } from "fastify";
import { empty } from "sql-template-tag";
import type { Caller } from "../../access/index.ts";
import { epochSeconds, type Clock } from "../../platform/clock/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { gatherIssues } from "../../platform/validation/index.ts";
import { queryError } from "../../platform/paging/index.ts";
import { type Operation, operation } from "../../platform/operations/index.ts";
import { ConcurrencyLimit } from "../../platform/http/index.ts";
import { exportParameters, planExport } from "../../records/list/index.ts";
import { partsFor, typeFor } from "../../records/routes/index.ts";
import type { RecordType, RecordTypes } from "../../records/types/index.ts";
import { ExportTurns } from "./export-turns.ts";
import { openExport } from "./export.ts";
import { CONTENT_TYPES, FILE_TYPES, FORMATS } from "../read/index.ts";
import type { Spool } from "../spool/index.ts";

export interface ExportDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** The types that the operations are described with. */
  readonly types: RecordTypes;
  readonly stall_ms?: number | undefined;
  readonly spool?: Spool | undefined;
}

/** Maximum number of exports that are running, waiting for their turn, or being sent from a temporary file. */
const PLACES = { credential: 10, tenant: 20, process: 100 };

const EXPORT_QUERY = {
  format: { kind: "choice", of: FORMATS, description: "The format of the file. Default: `csv`." },
  for: {
    kind: "choice",
    of: ["spreadsheet"],
    description:
      "`spreadsheet` writes CSV for Excel and other spreadsheet programs: with a byte order " +
      "mark, and with `'` before text that they would treat as a formula.",
  },
} as const;

const NO_SPREADSHEET =
  "only CSV can be exported for spreadsheets; leave out `for`, or use `format=csv`";

export function exportOperations(deps: ExportDeps): readonly Operation<Caller>[] {
  const running = new ConcurrencyLimit("exports", PLACES);
  const turns = new ExportTurns();
  return Object.values(deps.types).map((type) => exportOf(deps, type, running, turns));
}

function exportOf(
  { db, clock, stall_ms, spool }: ExportDeps,
  type: RecordType,
  running: ConcurrencyLimit,
  turns: ExportTurns,
): Operation<Caller> {
  const path = type.lists["all"]?.path ?? "";
  return operation({
    method: "GET",
    url: `${path}/export`,
    id: `export_${type.table}`,
    summary: `Export ${type.table}`,
    description: `Returns ${type.table} as CSV or NDJSON, as a consistent snapshot.`,
    tag: "files",
    permission: "records:read",
    ...partsFor(type, (type) => ({ query: { ...EXPORT_QUERY, ...exportParameters(type) } })),
    answer: {},
    files: { returned: FILE_TYPES },
    answerHeaders: {
      "Content-Disposition": `The suggested file name, for example \`attachment; filename="${type.table}.csv"\`.`,
    },
    run: async ({ caller, query: given, reply }) => {
      const { format = "csv", for: reader, ...asked } = given;
      const spreadsheet = reader === "spreadsheet";
      const { id: tenantId, default_country: country } = caller.tenant;
      const tenantType = typeFor(caller, type);
      const now_s = epochSeconds(clock);
      const { attempt, finish } = gatherIssues();
      const plan = attempt(
        () => planExport({ tenantId, type: tenantType, query: asked, country, now_s }),
        {
          query: empty,
        },
      );
      attempt(() => {
        if (spreadsheet && format !== "csv") throw queryError("for", reader, NO_SPREADSHEET);
      }, undefined);
      finish();
      running.enter(caller, reply);
      const left = signalOfEnd(reply);
      const takeTurn = () => turns.take(tenantId, left);
      const file = await openExport({
        db: db.lists,
        type: tenantType,
        format,
        spreadsheet,
        plan,
        stall_ms,
        spool,
        takeTurn,
      });
      reply.type(CONTENT_TYPES[format]);
      reply.header("content-disposition", `attachment; filename="${type.table}.${format}"`);
      return file;
    },
  });
}

/** Returns a signal that is aborted when the response ends or the reader disconnects. */
function signalOfEnd({ raw }: FastifyReply): AbortSignal {
  const ended = new AbortController();
  finished(raw, () => ended.abort());
  return ended.signal;
}
