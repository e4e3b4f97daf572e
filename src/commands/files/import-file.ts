/** The import of one file at the command line: what it prints, and the files it leaves. */

import { createReadStream, createWriteStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createQuotas, findOrAddPerson, type Person } from "../../access/index.ts";
import { SERVICE, type Scope } from "../../audit/index.ts";
import {
  createImport,
  FileError,
  findBrokenOff,
  importView,
  Interrupted,
  isHeld,
  LEASE_ms,
  MappingError,
  readHead,
  readRejects,
  rejectsText,
  runImport,
  startProgress,
  type SecondReading,
  type ImportOptions,
  type ImportRow,
} from "../../files/index.ts";
import { attributionHook } from "../../exchange/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { isDiskFull } from "../../platform/storage/index.ts";
import { AppError, StartError } from "../../platform/errors/index.ts";
import { createSealer } from "../../platform/secrets/index.ts";
import type { RecordType, WriteDeps } from "../../records/index.ts";
import { askAtTerminal, isAtTerminal } from "./import-questions.ts";
import { importSummary, mappingLines, noticeLines, rejectLines } from "./import-words.ts";
import { importSpool, type Installation } from "../installation.ts";
import { asJson } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";

/** Rejects that are shown; the file has all of them. */
const FIRST_REJECTS = { after: 0, limit: 5 };

export interface Wish {
  readonly type: RecordType;
  readonly path: string;
  readonly file_name: string | null;
  /** Its handle or id; the first tenant if undefined. */
  readonly tenant: string | undefined;
  readonly options: ImportOptions;
  readonly dry_run: boolean;
  readonly resume: boolean;
  readonly rejects: string | undefined;
  /** Standard output has only the result, as JSON. */
  readonly is_json: boolean;
}

/** Prints lines for the user: to standard error if standard output has JSON. */
function say({ is_json }: Pick<Wish, "is_json">, lines: readonly string[]): void {
  const text = lines.join("\n");
  if (lines.length > 0) (is_json ? console.error : console.log)(text);
}

/** Imports a file and prints the result. Every expected failure is a StartError. */
export async function importFile(installation: Installation, wish: Wish): Promise<void> {
  try {
    installation.disk.mustHaveSpace();
    await takeFile(installation, wish);
  } catch (error) {
    throw isWithoutSpace(error) ? stoppedByDisk(error) : error;
  }
}

const isWithoutSpace = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof AppError && error.code === "disk_full");

const stoppedByDisk = (cause: unknown): StartError =>
  new StartError(
    "The database's disk is full, and nothing more was imported. Free space on it, then run the same " +
      "command again: it continues where the import ended.",
    { cause },
  );

async function prepare(installation: Installation, wish: Wish) {
  const { clock, makeId, disk } = installation;
  const { sql: db } = installation.db;
  const tenant = await chosenTenant(db, wish.tenant);
  const scope = {
    db,
    tenantId: tenant.id,
    actor: { ...SERVICE, id: "command", name: "leadport import" },
    quota: await createQuotas(db, installation.config).find(tenant.id),
  };
  const sealer = createSealer(installation.keys);
  const deps = { clock, makeId, sealer, onCreation: attributionHook };
  const person = await findOrAddPerson(db, deps, tenant.id, undefined);
  const source = await openSource(wish.path, installation);
  const row = await rowFor(scope, deps, wish, { person, fingerprint: source.fingerprint });
  return { scope, deps, tenant, person, row, source, disk, wish };
}

async function takeFile(installation: Installation, wish: Wish): Promise<void> {
  const running = await prepare(installation, wish);
  const { scope } = running;
  const done = await runToEnd(running);
  const rejects = await writeRejects(scope, done, wish);
  if (done.refused > 0) {
    const first = await readRejects(scope, done.id, FIRST_REJECTS);
    say(wish, rejectLines(done, rejects, first));
  }
  if (wish.is_json) {
    const view = importView(done, installation.clock.now_ms());
    console.log(asJson({ ...view, rejects_file: rejects || null }));
  }
  if (done.refused > 0 && done.refused === done.rows) {
    throw new StartError("Every row was rejected.");
  }
}

/** The file, with the fingerprint of its beginning and its size where that is known. */
async function openSource(path: string, installation: Installation) {
  if (path === "-") {
    const second: SecondReading = { spool: importSpool(installation) };
    return { total_bytes: undefined, second, ...(await readHead(process.stdin)) };
  }
  const total_bytes = sizeOf(path);
  const open = () => createReadStream(path, { highWaterMark: 256 * 1024 });
  // A pipe is empty once it has been read.
  const isFile = total_bytes !== undefined;
  const second: SecondReading = isFile ? { reopen: open } : { spool: importSpool(installation) };
  return { total_bytes, second, ...(await readHead(open())) };
}

/** Standard input, or a shell's `<(…)`: no file can be created next to it. */
const isStream = (path: string): boolean => path === "-" || /^\/dev\/(?:fd\/|stdin$)/.test(path);

/** Undefined for a pipe or a device. */
function sizeOf(path: string): number | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.isFile() ? stat.size : undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    throw new StartError(`${path} cannot be read: ${why}.`, { cause: error });
  }
  throw new StartError(`${path} is a folder.`);
}

/** The import of this file that was broken off, where there is one; else a new one. */
async function rowFor(
  scope: Scope<Db>,
  deps: WriteDeps,
  wish: Wish,
  { person, fingerprint }: { readonly person: Person; readonly fingerprint: string },
): Promise<ImportRow> {
  const { type, file_name, options, dry_run, resume } = wish;
  const asked = { type: type.name, file_name, options };
  let found = dry_run ? undefined : await findBrokenOff(scope, fingerprint, asked);
  if (found !== undefined && isHeld(found, deps.clock.now_ms())) {
    say(wish, ["This file is being imported, or was until a moment ago. Waiting."]);
    await sleep(LEASE_ms + 1000);
    found = await findBrokenOff(scope, fingerprint, asked);
  }
  if (found !== undefined && isHeld(found, deps.clock.now_ms())) {
    throw new StartError("This file is being imported by another process right now.");
  }
  if (found !== undefined) {
    say(wish, [`Resuming import ${found.id} after line ${found.last_line}.`]);
    return found;
  }
  if (resume) throw new StartError("There is no interrupted import of this file.");
  return createImport(scope, deps, { ...asked, dry_run, person });
}

async function runToEnd(running: Awaited<ReturnType<typeof prepare>>): Promise<ImportRow> {
  const { scope, deps, tenant, person, row, source, disk, wish } = running;
  const { clock } = deps;
  const { stderr } = process;
  const begun_ms = clock.now_ms();
  const { total_bytes } = source;
  let shown: readonly string[] = [];
  let progress: ReturnType<typeof startProgress> | undefined;
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => stopping.abort());
  }
  const author = { country: tenant.default_country, person };
  const given = { id: row.id, bytes: source.whole, ...source.second };
  try {
    const done = await runImport({ scope, deps, author }, given, {
      signal: stopping.signal,
      currency: tenant.currency,
      ...(isAtTerminal() && { ask: askAtTerminal }),
      onOpen: (_, intake) => {
        shown = intake.report().notices;
        say(wish, mappingLines(intake));
        progress = startProgress({ stream: stderr, total: total_bytes, now: clock.now_ms });
      },
      onChunk: ({ counts }, read_bytes) => {
        progress?.update(read_bytes, counts.rows);
        disk.mustHaveSpace();
      },
    });
    progress?.stop();
    const took_s = (clock.now_ms() - begun_ms) / 1000;
    const late = (done.mapping?.notices ?? []).filter((notice) => !shown.includes(notice));
    say(wish, noticeLines(late));
    say(wish, importSummary(done, { took_s, rows: done.rows - row.rows }));
    return done;
  } catch (error) {
    progress?.stop();
    throw plainError(error);
  }
}

/** What is wrong with an option, in the words of the command line. */
const asOption = (problem: string) =>
  problem
    .replace(/^(?:map|set|value|external_id)(?=:)/, (option) => `--${option.replace("_", "-")}`)
    .replace(/ with map$/, " with --map")
    .replace(" map a heading or give a default account", " use --map or --default-account");

function plainError(error: unknown): unknown {
  if (isWithoutSpace(error)) return error;
  if (error instanceof MappingError) {
    return new StartError(error.problems.map(asOption).join("\n"), { cause: error });
  }
  if (error instanceof Interrupted) {
    const hint = "Run the same command again to continue.";
    return new StartError(`${error.message}. ${hint}`, { cause: error });
  }
  const isTold = error instanceof FileError || error instanceof AppError;
  return isTold ? new StartError(error.message, { cause: error }) : error;
}

/** Writes the rejects file where there are rejects; its path. */
async function writeRejects(
  scope: Scope<Db>,
  { id, file, refused }: ImportRow,
  { path, rejects }: Wish,
): Promise<string> {
  if (file === null || refused === 0) return "";
  const beside = `${isStream(path) ? "standard-input" : path}.rejects.${file.format}`;
  const target = rejects ?? beside;
  const text = rejectsText(file, (page) => readRejects(scope, id, page));
  try {
    await pipeline(Readable.from(text), createWriteStream(target));
  } catch (error) {
    const told = `The rejects cannot be written to ${target}: ${(error as Error).message}`;
    throw new StartError(`${told}. GET /crm/imports/${id}/rejects has them.`, { cause: error });
  }
  return target;
}
