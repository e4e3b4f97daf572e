/** Imports one file on the command line: prints the result and writes rejected rows. */

import { constants, createReadStream, createWriteStream, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Person, findOrAddPerson } from "../../tenants/index.ts";
import { createQuotas } from "../../quotas/index.ts";
import { SERVICE, type Scope } from "../../audit/index.ts";
import {
  createImport,
  findInterrupted,
  importView,
  Interrupted,
  isLeased,
  LEASE_ms,
  readHead,
  readRejects,
  rejectsText,
  runImport,
  startProgress,
  type ImportOptions,
  type ImportRow,
} from "../../files/imports/index.ts";
import { FileError } from "../../files/read/index.ts";
import { MappingError } from "../../files/columns/index.ts";
import type { SecondReading } from "../../files/spool/index.ts";
import { PARTICIPANTS } from "../../service/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { isDiskFull } from "../../platform/storage/index.ts";
import { AppError, messageOf, StartError } from "../../platform/errors/index.ts";
import { createSealer } from "../../platform/secrets/index.ts";
import type { RecordName } from "../../records/types/index.ts";
import type { WriteDeps } from "../../records/store/index.ts";
import { askAtTerminal, isAtTerminal } from "./import-questions.ts";
import { importSummary, mappingLines, noticeLines, rejectLines } from "./import-words.ts";
import type { Output } from "../command.ts";
import { importSpool, type Installation } from "../installation.ts";
import { asJson } from "../output.ts";
import { interruptible, isCanceled } from "../signals.ts";
import { chosenTenant } from "../tenant-option.ts";

/** Maximum number of rejected rows to print. The rejects file contains all of them. */
const FIRST_REJECTS = { after: 0, limit: 5 };

export interface ImportArguments {
  readonly type: RecordName;
  readonly path: string;
  readonly file_name: string | null;
  /** The tenant's handle or id. Default: the first tenant. */
  readonly tenant: string | undefined;
  readonly options: ImportOptions;
  readonly dry_run: boolean;
  readonly resume: boolean;
  readonly rejects: string | undefined;
  /** Whether standard output is reserved for the result as JSON. */
  readonly is_json: boolean;
  readonly output: Output;
}

/** Prints lines for the user. If standard output is reserved for JSON, they are printed to standard error. */
function print({ is_json, output }: ImportArguments, lines: readonly string[]): void {
  const text = lines.join("\n");
  if (lines.length > 0) (is_json ? output.error : output.log)(text);
}

/** Imports a file and prints the result. Throws a StartError for every expected failure. */
export async function importFile(
  installation: Installation,
  given: ImportArguments,
): Promise<void> {
  try {
    installation.disk.mustHaveSpace();
    await runImportOf(installation, given);
  } catch (error) {
    throw isWithoutSpace(error) ? stoppedByDisk(error) : error;
  }
}

const isWithoutSpace = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof AppError && error.code === "disk_full");

const stoppedByDisk = (cause: unknown): StartError =>
  new StartError(
    "The database's disk is full, so the import stopped. Free some space, then run the same command " +
      "again to continue the import.",
    { cause },
  );

async function prepare(installation: Installation, given: ImportArguments) {
  const { clock, makeId, disk } = installation;
  const { sql: db } = installation.db;
  const tenant = await chosenTenant(db, given.tenant);
  const scope = {
    db,
    tenantId: tenant.id,
    actor: { ...SERVICE, id: "command", name: "leadport import" },
    quota: await createQuotas(db, installation.config).find(tenant.id),
  };
  const sealer = createSealer(installation.keys);
  const deps = { clock, makeId, sealer, participants: PARTICIPANTS };
  const person = await findOrAddPerson(db, deps, tenant.id, undefined);
  const source = await openSource(given.path, installation);
  const row = await rowFor(scope, deps, given, { person, fingerprint: source.fingerprint });
  return { scope, deps, tenant, person, row, source, disk, given };
}

async function runImportOf(installation: Installation, given: ImportArguments): Promise<void> {
  const running = await prepare(installation, given);
  const { scope } = running;
  const { done, summary } = await runToEnd(running);
  const rejects = await writeRejects(scope, done, given).finally(() => print(given, summary));
  if (done.refused > 0) {
    const first = await readRejects(scope, done.id, FIRST_REJECTS);
    print(given, rejectLines(done, rejects, first));
  }
  if (given.is_json) {
    const view = importView(done, installation.clock.now_ms());
    given.output.log(asJson({ ...view, rejects_file: rejects || null }));
  }
  if (done.refused > 0 && done.refused === done.rows) {
    throw new StartError("Every row was rejected.");
  }
}

/** Opens the file. Returns a fingerprint of its first bytes, and its size if known. */
async function openSource(path: string, installation: Installation) {
  if (path === "-") {
    const second: SecondReading = { spool: importSpool(installation) };
    return { total_bytes: undefined, second, ...(await readHead(process.stdin)) };
  }
  const { total_bytes, isPipe } = describe(path);
  const open = () => createReadStream(path, { highWaterMark: 256 * 1024 });
  // Unlike a file, a pipe can be read only once.
  const isFile = total_bytes !== undefined;
  const second: SecondReading = isFile ? { reopen: open } : { spool: importSpool(installation) };
  return { total_bytes, second, ...(await readHead(isPipe ? openPipe(path) : open())) };
}

/**
 * Opens a named pipe without waiting for its writer. Node's file streams open and read a pipe in a thread. While that
 * thread waits for the writer, the process cannot exit.
 */
const openPipe = (path: string): Readable =>
  new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });

/** Whether a path is standard input or a shell's `<(…)`. A rejects file cannot be created next to such a path. */
const isStream = (path: string): boolean => path === "-" || /^\/dev\/(?:fd\/|stdin$)/.test(path);

interface Described {
  /** The size of a file. Undefined for pipes and devices. */
  readonly total_bytes: number | undefined;
  readonly isPipe: boolean;
}

function describe(path: string): Described {
  try {
    const stat = statSync(path);
    const total_bytes = stat.isFile() ? stat.size : undefined;
    if (!stat.isDirectory()) return { total_bytes, isPipe: stat.isFIFO() };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "the file does not exist" : message;
    throw new StartError(`Cannot read ${path}: ${why}.`, { cause: error });
  }
  throw new StartError(`${path} is a folder, not a file.`);
}

/** Finds the interrupted import of this file, or creates a new import. */
async function rowFor(
  scope: Scope<Db>,
  deps: WriteDeps,
  given: ImportArguments,
  { person, fingerprint }: { readonly person: Person; readonly fingerprint: string },
): Promise<ImportRow> {
  const { type, file_name, options, dry_run, resume } = given;
  const wanted = { type, file_name, options };
  let found = dry_run ? undefined : await findInterrupted(scope, fingerprint, wanted);
  if (found !== undefined && isLeased(found, deps.clock.now_ms())) {
    print(given, ["Another process is importing this file, or was interrupted. Waiting."]);
    await sleep(LEASE_ms + 1000);
    found = await findInterrupted(scope, fingerprint, wanted);
  }
  if (found !== undefined && isLeased(found, deps.clock.now_ms())) {
    throw new StartError("Another process is importing this file. Wait until it has finished.");
  }
  if (found !== undefined) {
    print(given, [`Resuming import ${found.id} after line ${found.last_line}.`]);
    return found;
  }
  if (resume) throw new StartError("There is no interrupted import of this file.");
  return createImport(scope, deps, { ...wanted, dry_run, person });
}

async function runToEnd(running: Awaited<ReturnType<typeof prepare>>) {
  const { scope, deps, tenant, person, row, source, disk, given } = running;
  const { clock } = deps;
  const { stderr } = process;
  const start_ms = clock.now_ms();
  const { total_bytes } = source;
  let shown: readonly string[] = [];
  let progress: ReturnType<typeof startProgress> | undefined;
  const author = { country: tenant.default_country, person };
  const file = { id: row.id, bytes: source.whole, ...source.second };
  try {
    const done = await interruptible((signal) =>
      runImport({ scope, deps, author }, file, {
        signal,
        currency: tenant.currency,
        ...(isAtTerminal() && { ask: askAtTerminal }),
        onOpen: (_, intake) => {
          shown = intake.report().notices;
          print(given, mappingLines(intake));
          progress = startProgress({ stream: stderr, total: total_bytes, now: clock.now_ms });
        },
        onChunk: ({ counts }, read_bytes) => {
          progress?.update(read_bytes, counts.rows);
          disk.mustHaveSpace();
        },
      }),
    );
    progress?.stop();
    const took_s = (clock.now_ms() - start_ms) / 1000;
    const late = (done.mapping?.notices ?? []).filter((notice) => !shown.includes(notice));
    const result = importSummary(done, { took_s, rows: done.rows - row.rows });
    return { done, summary: [...noticeLines(late), ...result] };
  } catch (error) {
    progress?.stop();
    throw plainError(error);
  }
}

/** Rewords a mapping error so that it names the command-line options. */
const asOption = (problem: string) =>
  problem
    .replace(/^(?:map|set|value|external_id)(?=:)/, (option) => `--${option.replace("_", "-")}`)
    .replace(/ with the option map$/, " with --map")
    .replace("; map one, or set a default account", "; use --map or --default-account");

function plainError(error: unknown): unknown {
  if (isWithoutSpace(error)) return error;
  if (error instanceof MappingError) {
    return new StartError(error.problems.map(asOption).join("\n"), { cause: error });
  }
  if (error instanceof Interrupted || isCanceled(error)) {
    const hint = "Run the same command again to continue.";
    return new StartError(`The import was interrupted. ${hint}`, { cause: error });
  }
  const isExpected = error instanceof FileError || error instanceof AppError;
  return isExpected ? new StartError(error.message, { cause: error }) : error;
}

/** Writes the rejects file and returns its path. Returns an empty string if there are no rejected rows. */
async function writeRejects(
  scope: Scope<Db>,
  { id, file, refused }: ImportRow,
  { path, rejects }: ImportArguments,
): Promise<string> {
  if (file === null || refused === 0) return "";
  const fallback = `${isStream(path) ? "standard-input" : path}.rejects.${file.format}`;
  const target = rejects ?? fallback;
  const text = rejectsText(file, (page) => readRejects(scope, id, page));
  try {
    await pipeline(Readable.from(text), createWriteStream(target));
  } catch (error) {
    const message = `Cannot write the rejected rows to ${target}: ${messageOf(error)}`;
    throw new StartError(`${message}. You can get them with GET /crm/imports/${id}/rejects.`, {
      cause: error,
    });
  }
  return target;
}
