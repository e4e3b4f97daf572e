/** Imports of files that take more time or memory than their size suggests. */

import { pause, send, type Attack, type Tally, type Target } from "../attack.ts";
import { manyKeys } from "./bodies.ts";

const kB = 1024;
const MB = 1024 * kB;

interface ImportedFile {
  readonly format: "csv" | "ndjson";
  readonly file: Buffer;
}

/** Prepares an import and sends a file to it; returns how long the service took, in seconds. */
async function importFile(
  target: Target,
  tally: Tally,
  { format, file }: ImportedFile,
): Promise<number> {
  const { token } = target;
  const options = JSON.stringify({ type: "leads", format });
  const prepared = await send(target, tally, {
    method: "POST",
    path: "/crm/imports",
    token,
    body: options,
  });
  if (prepared.status !== 200) return 0;
  const { id } = JSON.parse(prepared.body.toString()) as { id: string };
  const started = performance.now();
  await send(target, tally, {
    method: "PUT",
    path: `/crm/imports/${id}/data`,
    token,
    body: file,
    headers: { "content-type": format === "csv" ? "text/csv" : "application/x-ndjson" },
  });
  return (performance.now() - started) / 1000;
}

/** Imports a file repeatedly, two at a time. */
const fileAttack = (name: string, format: "csv" | "ndjson", make: () => Buffer): Attack => ({
  name,
  prepare: () => {
    const file = make();
    return (target, tally) => importAgain(target, tally, { format, file });
  },
});

async function importAgain(target: Target, tally: Tally, given: ImportedFile) {
  let slowest_s = 0;
  const work = async (): Promise<void> => {
    while (Date.now() < target.until_ms) {
      slowest_s = Math.max(slowest_s, await importFile(target, tally, given));
      await pause(50);
    }
  };
  await Promise.all([work(), work()]);
  return { slowest_s };
}

const filled = (bytes: number, line: string): Buffer =>
  Buffer.from(`name,email\n${line.repeat(Math.floor(bytes / line.length))}`);

const COLUMNS = 500_000;
const wideFile = (): Buffer =>
  Buffer.from(`name${",".repeat(COLUMNS)}\nWide${",".repeat(COLUMNS)}\n`);

const nestedRow = (bytes: number): string =>
  `{"name":"x","tags":[${"{},".repeat(Math.floor(bytes / 3) - 20)}{}]}\n`;

export const FILE_ATTACKS: readonly Attack[] = [
  fileAttack("CSV with 500,000 empty columns", "csv", wideFile),
  fileAttack('CSV of """ lines, 262 kB', "csv", () => filled(262 * kB, '"""\n')),
  fileAttack('CSV of """ lines, 8 MB', "csv", () => filled(8 * MB, '"""\n')),
  fileAttack("CSV with a stray quote in every line, 2 MB", "csv", () =>
    filled(2 * MB, 'Ann "the boss, ann@example.com\n"Bob" Smith,bob@example.com\n'),
  ),
  fileAttack("CSV with quotes that are never closed, 2 MB", "csv", () =>
    filled(2 * MB, '"Ann,ann@example.com\nBob,bob@example.com\n'),
  ),
  fileAttack("CSV with one 8 MB cell", "csv", () => filled(8 * MB, "x")),
  fileAttack("NDJSON with 4 MB rows of nested objects", "ndjson", () =>
    Buffer.from(nestedRow(4 * MB - 64).repeat(4)),
  ),
  fileAttack("NDJSON rows with 1,000,000 members", "ndjson", () =>
    Buffer.concat([manyKeys(12 * MB), Buffer.from('\n{"name":"y"}\n')]),
  ),
  {
    name: "GET /crm/imports after wide imports",
    prepare: () => async (target, tally) => {
      const file = wideFile();
      let largest_MB = 0;
      for (let n = 0; n < 8 && Date.now() < target.until_ms; n += 1) {
        await importFile(target, tally, { format: "csv", file });
      }
      // On a slow machine, the imports can take all of the time.
      do {
        const list = { path: "/crm/imports?page_size=500", token: target.token };
        const { body } = await send(target, tally, list);
        largest_MB = Math.max(largest_MB, body.length / MB);
      } while (Date.now() < target.until_ms);
      return { largest_MB };
    },
    bound: ({ figures: { largest_MB = 0 } }) =>
      largest_MB > 1 ? `The list of imports has ${largest_MB.toFixed(1)} MB.` : undefined,
  },
];
