/** Operations on imports and exports. */

import { Readable } from "node:stream";
import { scopeOf, type Caller } from "../../access/index.ts";
import { becomeBulk, keepingParty } from "../../platform/admission/index.ts";
import type { DiskReserve } from "../../platform/storage/index.ts";
import { AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import { idIn } from "../../platform/ids/index.ts";
import { checker, type Given, type Schema } from "../../platform/validation/index.ts";
import { linkNext, PAGE_PARAMETERS, pageOf, sliceOf } from "../../platform/paging/index.ts";
import { bodyShape, type Operation, operation } from "../../platform/operations/index.ts";
import { ConcurrencyLimit } from "../../platform/http/index.ts";
import { authorOf } from "../../records/routes/index.ts";
import type { WriteDeps } from "../../records/store/index.ts";
import { type ExportDeps, exportOperations } from "../exports/index.ts";
import type { Spool } from "../spool/index.ts";
import { IMPORT_SCHEMA, noSuchType, optionsIn, typeNamed } from "./import-options.ts";
import { IMPORT_ANSWER } from "./import-members.ts";
import { importView, withDetails } from "./import-view.ts";
import { Interrupted } from "./interrupted.ts";
import { createImport, listImports, readImport, type ImportRow } from "./imports.ts";
import { MappingError } from "../columns/index.ts";
import { pacedBody } from "./patient-body.ts";
import { rejectsText } from "./rejects.ts";
import { readRejects } from "./stored-rejects.ts";
import { CONTENT_TYPES, FILE_TYPES, FileError } from "../read/index.ts";
import { runImport } from "./run-import.ts";

export interface FilesDeps extends WriteDeps, ExportDeps {
  /** Interrupts imports while the disk is full. */
  readonly disk?: Pick<DiskReserve, "mustHaveSpace"> | undefined;
  /** Stores uploads that must be read twice. */
  readonly importSpool?: Spool | undefined;
  /** How long a reader or sender can be idle before it is disconnected. Default: one minute. */
  readonly stall_ms?: number | undefined;
  /** Aborted when the service stops. Running imports end after the current chunk. */
  readonly stopping?: AbortSignal | undefined;
}

type FileOperation = Operation<Caller>;

/** The schemas of import and export operations, keyed by their names in openapi.json. */
export const fileSchemas: Readonly<Record<string, Schema>> = {
  ImportRequest: IMPORT_SCHEMA,
  ImportResponse: IMPORT_ANSWER,
};

/** Maximum number of files that can be sent concurrently. */
const IMPORTS = { credential: 10, tenant: 20, process: 100 };
const REJECTS_SHOWN = 100;
const READS = { tag: "files", permission: "records:read" } as const;
const WRITES = { tag: "files", permission: "records:write" } as const;
const IMPORT_REQUEST = bodyShape(IMPORT_SCHEMA, checker({}));
const ANSWER: Schema = { $ref: "ImportResponse#" };
const PATH = {
  import_id: { kind: "text", max: 100, description: "The id of the import." },
} as const;

export const fileOperations = (deps: FilesDeps): readonly FileOperation[] => [
  createOf(deps),
  listOf(deps),
  readOf(deps),
  sendOf(deps),
  rejectsOf(deps),
  ...exportOperations(deps),
];

function createOf(deps: FilesDeps): FileOperation {
  return operation({
    ...WRITES,
    method: "POST",
    url: "/crm/imports",
    id: "create_import",
    summary: "Create an import",
    description: "Prepares an import. After that, upload its file.",
    body: IMPORT_REQUEST,
    answer: ANSWER,
    run: async ({ caller, body, write }) => {
      const { file_name = null, dry_run } = body;
      const type = typeNamed(body.type);
      if (type === undefined) throw new Error(noSuchType(body.type));
      const asked = {
        type,
        file_name,
        dry_run: dry_run === true,
        options: optionsIn(body),
        person: caller.person,
      };
      return write(async (db) => {
        const row = await createImport(scopeOf(db, caller), deps, asked);
        return importView(row, deps.clock.now_ms());
      });
    },
  });
}

function listOf({ db, clock }: FilesDeps): FileOperation {
  return operation({
    ...READS,
    method: "GET",
    url: "/crm/imports",
    id: "list_imports",
    summary: "List imports",
    description: "Lists the imports of the tenant, newest first.",
    query: PAGE_PARAMETERS,
    answer: { type: "array", items: ANSWER },
    run: async ({ caller, query, request, reply }) => {
      const slice = sliceOf(query);
      const rows = await listImports(scopeOf(db.sql, caller), slice);
      const { entries, next } = pageOf(rows, slice);
      linkNext(request, reply, next);
      return entries.map((row) => importView(row, clock.now_ms()));
    },
  });
}

const importIn = (
  { db }: FilesDeps,
  caller: Caller,
  path: Given<typeof PATH>,
): Promise<ImportRow> => readImport(scopeOf(db.sql, caller), idIn(path, "import_id"));

/** Returns an import for responses, with its first rejects. */
async function shownImport(deps: FilesDeps, caller: Caller, row: ImportRow) {
  const page = { after: 0, limit: REJECTS_SHOWN };
  const rejects = await readRejects(scopeOf(deps.db.sql, caller), row.id, page);
  return withDetails(row, deps.clock.now_ms(), rejects);
}

function readOf(deps: FilesDeps): FileOperation {
  return operation({
    ...READS,
    path: PATH,
    method: "GET",
    url: "/crm/imports/:import_id",
    id: "get_import",
    summary: "Get an import",
    description: "Returns the progress of an import, its counts and its first rejected rows.",
    answer: ANSWER,
    run: async ({ caller, path }) => shownImport(deps, caller, await importIn(deps, caller, path)),
  });
}

function sendOf(deps: FilesDeps): FileOperation {
  const running = new ConcurrencyLimit("imports", IMPORTS);
  return operation({
    ...WRITES,
    path: PATH,
    method: "PUT",
    url: "/crm/imports/:import_id/data",
    id: "send_import_data",
    summary: "Upload an import file",
    description:
      "Imports the file, which can be of any size, and responds when the import is done. To resume an " +
      "interrupted import, send the same file again.",
    streamed: true,
    files: { taken: [...FILE_TYPES, "application/octet-stream"] },
    answer: ANSWER,
    failures: {
      409: "The import has ended or was started with another file, or another client is uploading the file.",
    },
    run: async ({ caller, path, request, reply }) => {
      becomeBulk();
      const { id } = await importIn(deps, caller, path);
      running.enter(caller, reply);
      const body = request.body instanceof Readable ? request.body : Readable.from([]);
      const { stopping: signal, stall_ms: window_ms } = deps;
      const bytes = pacedBody(body, { window_ms, signal });
      try {
        const importer = { scope: scopeOf(deps.db.sql, caller), deps, author: authorOf(caller) };
        // If the disk is full, interrupt the import after this chunk. It continues when the file is sent again.
        const onChunk = () => deps.disk?.mustHaveSpace();
        const { currency } = caller.tenant;
        const options = { onChunk, currency, ...(signal && { signal }) };
        const row = await runImport(importer, { id, bytes, spool: deps.importSpool }, options);
        return await shownImport(deps, caller, row);
      } catch (error) {
        // Discard the rest of the body, because the connection's next request follows it.
        void bytes.return(undefined).then(() => body.resume());
        throw asAnswer(error);
      }
    },
  });
}

const issueOf = (sentence: string): Issue => ({
  type: "value_error",
  loc: ["body"],
  msg: `Value error, ${sentence}`,
  input: null,
});

/** The expected duration of a restart, for the `Retry-After` header. */
const RESTART_s = 5;

/**
 * Converts an error to a response. Problems with the file or the options become 422. If the import was interrupted
 * because the service is stopping, it becomes 503.
 */
function asAnswer(error: unknown): unknown {
  if (error instanceof Interrupted) {
    return new AppError("stopping", {
      detail: "The service is stopping; send the same file again to resume the import",
      headers: { "retry-after": String(RESTART_s), connection: "close" },
    });
  }
  if (error instanceof FileError) return new ValidationError([issueOf(error.message)]);
  if (error instanceof MappingError) return new ValidationError(error.problems.map(issueOf));
  return error;
}

function rejectsOf(deps: FilesDeps): FileOperation {
  return operation({
    ...READS,
    path: PATH,
    method: "GET",
    url: "/crm/imports/:import_id/rejects",
    id: "get_import_rejects",
    summary: "Download rejected rows",
    description:
      "Returns the rejected rows with their reasons as a file. Fix it and import it again.",
    answer: {},
    files: { returned: FILE_TYPES },
    run: async ({ caller, path, reply }) => {
      const row = await importIn(deps, caller, path);
      const format = row.file?.format ?? "csv";
      reply.type(CONTENT_TYPES[format]);
      const scope = scopeOf(deps.db.sql, caller);
      return Readable.from(
        keepingParty(
          rejectsText(row.file ?? { format, encoding: "utf-8", headings: [] }, (page) =>
            readRejects(scope, row.id, page),
          ),
        ),
      );
    },
  });
}
