/**
 * Measures how much attribution adds to the cost of creating contacts, by running the same writes with and without it.
 */

import { createImport, runImport } from "../src/files/index.ts";
import { attributionHook } from "../src/exchange/index.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import { createDrafts, secretDraft } from "../src/records/write/write.ts";
import type { WriteDeps } from "../src/records/write/writer.ts";
import { openFolder, PUSHED, writerOf, type Writer } from "./exchange-fill.ts";
import { head, ms, row } from "./exchange-table.ts";
import { leadAt } from "./leads.ts";
import { median } from "./service.ts";

/** The batch sizes, each with the number of rounds. Each round runs both with and without the hook. */
const SIZES = [
  { records: 1, times: 2000 },
  { records: 500, times: 40 },
];
const IMPORTS = 6;
const IMPORT_ROWS = 10_000;

interface Person {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** Returns a function that generates people who are not contacts yet. Every other person was pushed by a partner. */
function people(): (count: number) => readonly Person[] {
  let n = 0;
  return (count) =>
    Array.from({ length: count }, () => {
      n += 1;
      const { name } = leadAt(n) as { name: string };
      const brought = (Math.floor((n * 977) / 20) % (PUSHED / 200)) * 200 + 70 + (n % 80);
      const email = n % 2 === 0 ? `Pushed.${brought}@mail.example.org` : `Made.${n}@example.net`;
      return { name, email, phone: `(332) 555-${String(n % 10_000).padStart(4, "0")}` };
    });
}

/**
 * Prints how long it takes to create contacts with and without the hook, alternating between the two. The contacts are
 * removed afterward.
 */
export async function measureHook(dataDir: string): Promise<void> {
  const installation = await openFolder(dataDir);
  try {
    const writer = await writerOf(installation);
    const { scope, deps } = writer;
    const { contact } = RECORD_TYPES;
    const first = deps.makeId();
    head(
      "Contacts with and without the attribution check, alternating",
      "write",
      "with the check: median, ms",
      "without it: median, ms",
      "ratio",
      "attributed",
      "runs of each",
    );
    const next = people();
    try {
      for (const { records, times } of SIZES) {
        const write = async (within: WriteDeps): Promise<number> => {
          const contacts = { scope, deps: within, author: writer.author, type: contact };
          const drafts = next(records).map((person) => secretDraft(contacts, { ...person }));
          const begun = performance.now();
          await createDrafts(contacts, drafts);
          return performance.now() - begun;
        };
        const what = records === 1 ? "one contact" : `${records} contacts in one statement`;
        await compare(writer, what, times, write);
      }
      await compare(
        writer,
        `CSV import of ${IMPORT_ROWS.toLocaleString("en")} contacts`,
        IMPORTS,
        (within) => importCsv(writer, within, next(IMPORT_ROWS)),
      );
    } finally {
      await forget(writer, first);
    }
  } finally {
    await installation.close();
  }
}

type Write = (deps: WriteDeps) => Promise<number>;

async function compare(
  { scope, deps }: Writer,
  what: string,
  times: number,
  write: Write,
): Promise<void> {
  const withHook = { ...deps, onCreation: attributionHook };
  const took_ms: Record<"with" | "without", number[]> = { with: [], without: [] };
  const first = deps.makeId();
  for (let k = -1; k < times; k++) {
    const turns = k % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const);
    for (const turn of turns) {
      const took = await write(turn === "with" ? withHook : deps);
      if (k >= 0) took_ms[turn].push(took);
    }
  }
  const [made] = await scope.db`
    select count(*) filter (where body->>'partner_id' is not null)::float / count(*) as attributed
      from contacts where tenant_id = ${scope.tenantId} and id > ${first}`;
  const [having, lacking] = [median(took_ms.with), median(took_ms.without)];
  // Half of all contacts were written without the hook and therefore not attributed, so the share must be doubled.
  const share = `${(200 * Number(made?.["attributed"])).toFixed(0)}%`;
  row([what, ms(having), ms(lacking), (having / lacking).toFixed(2), share, times]);
}

async function importCsv(
  { scope, author }: Writer,
  deps: WriteDeps,
  persons: readonly Person[],
): Promise<number> {
  const lines = persons.map(({ name, email, phone }) => `${name},${email},${phone}\n`);
  const file = Buffer.from(`name,email,phone\n${lines.join("")}`);
  const { person } = author;
  const asked = { type: "contact" as const, file_name: "contacts.csv", options: {} };
  const begun = performance.now();
  const { id } = await createImport(scope, deps, { ...asked, dry_run: false, person });
  const bytes = (async function* () {
    yield file;
  })();
  const { created } = await runImport({ scope, deps, author }, { id, bytes });
  if (created !== persons.length) throw new Error(`${created} of ${persons.length} were created`);
  return performance.now() - begun;
}

/** Removes everything that was written after the id `first` was created. */
async function forget({ scope: { db, tenantId } }: Writer, first: string): Promise<void> {
  await db`delete from contacts where tenant_id = ${tenantId} and id > ${first}`;
  await db`
    delete from changes
     where tenant_id = ${tenantId} and id > ${first} and subject_type in ('contact', 'import')`;
  await db`delete from imports where tenant_id = ${tenantId} and id > ${first}`;
}
