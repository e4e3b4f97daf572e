/** How numbers and dates are read: the style is determined from the whole column, however long the file is. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import {
  ColumnEvidence,
  styleOf,
  type Decision,
} from "../../../src/files/formats/column-decisions.ts";
import { readDay } from "../../../src/files/formats/dates.ts";
import { Spool } from "../../../src/files/spool/index.ts";
import { openIntake, type IntakeOptions } from "../../../src/files/imports/intake.ts";
import { readNumber } from "../../../src/files/formats/numbers.ts";
import { Rereadable, type SecondReading } from "../../../src/files/spool/rereading.ts";
import { isRefused } from "../../../src/files/rows/row-input.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";
import { file, fileApi } from "../../kit/file-api.ts";
import { folder } from "../../running/leadport.ts";
import { assertCounts, importFile, recordsOf, type Import } from "../imports/sending.ts";
import { runsOf } from "../../kit/long.ts";

const path = join(folder(file), "imports");
const log = { warn: () => undefined };
const importSpool = new Spool({ folder: path, max_bytes: 64 * 1024 * 1024, log });
const api = await fileApi({ importSpool });

/** More rows than Leadport examines at the start of a file. */
const MANY = 2000;
const filler = (cell: string) => Array.from({ length: MANY }, (_, at) => `Row ${at},${cell}\n`);
const decisionsOf = ({ mapping }: Import) =>
  (mapping as { readonly decisions: readonly Decision[] }).decisions;
const noticesOf = ({ mapping }: Import) =>
  (mapping as { readonly notices: readonly string[] }).notices;

const invoices = (cells: readonly string[]) =>
  `invoice_num,account,total_amount\n${cells.map((cell, at) => `N-${at},Globex,"${cell}"\n`).join("")}`;

async function totalsOf(cells: readonly string[], options: object = {}) {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const done = await importFile(acme, "invoices", invoices(cells), options);
  const records = (await recordsOf(acme, "/crm/invoices")).toReversed();
  return { done, records, totals: records.map(({ total_amount }) => total_amount) };
}

test("3.500.000 in a column shows that 1.234 € is one thousand two hundred and thirty-four", async () => {
  const { totals, done } = await totalsOf(["1.234 €", "3.500.000"]);
  assert.deepEqual(totals, [1234, 3_500_000]);
  assert.deepEqual(decisionsOf(done), [
    {
      heading: "total_amount",
      about: "decimal",
      value: ",",
      decided_by: "column",
      examples: ["3.500.000"],
    },
  ]);
  assert.deepEqual(noticesOf(done), []);
});

const dated = (last: string) => `name,decision_date\n${filler("45752").join("")}Last,${last}\n`;

test("dates are Excel's serial dates only if the whole column contains them", async () => {
  const acme = await api.tenant();
  const serial = await importFile(acme, "leads", dated("45752.5"));
  const decision = { heading: "decision_date", about: "dates", value: "serial" };
  const examples = ["45752", "45752.5"];
  assert.deepEqual(decisionsOf(serial), [{ ...decision, decided_by: "column", examples }]);
  const [last] = await recordsOf(acme, "/crm/leads");
  assert.equal(last?.["decision_date"], Date.parse("2025-04-05T12:00:00Z") / 1000);
  assert.deepEqual(serial["warnings"], {});
  const mixed = await importFile(acme, "leads", dated("2025-04-05"), { dry_run: true });
  assert.deepEqual(decisionsOf(mixed), []);
  assert.deepEqual(mixed["warnings"], { unreadable_value: MANY });
});

test("a number that contradicts its column is not read, and strict rejects its row", async () => {
  const cells = ["1.234,50", "12,5", "1,234.50"];
  const { totals, done } = await totalsOf(cells, { map: { total_amount: "total_amount" } });
  assert.deepEqual(totals, [1234.5, 12.5]);
  assert.match(done.rejects[0]?.reason ?? "", /the row has no total_amount/);
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const deals = `name,account,value\nA,Globex,"1.234,50"\nB,Globex,"12,5"\nC,Globex,"1,234.50"\n`;
  const kept = await importFile(acme, "deals", deals);
  assert.deepEqual(kept["warnings"], { unreadable_value: 1 });
  const [last] = await recordsOf(acme, "/crm/deals");
  assert.equal(last?.["business_need_description"], "value in the file: 1,234.50");
  assertCounts(await importFile(acme, "deals", deals, { strict: true, dry_run: true }), {
    rows: 3,
    created: 2,
    refused: 1,
  });
});

test("an undecided column keeps the default, with a notice; an option decides it", async () => {
  const undecided = await totalsOf(["1.234", "2.345"]);
  assert.deepEqual(undecided.totals, [1.234, 2.345]);
  assert.match(noticesOf(undecided.done)[0] ?? "", /"total_amount" is ambiguous/);
  const decided = await totalsOf(["1.234", "2.345"], { decimal: "," });
  assert.deepEqual(decided.totals, [1234, 2345]);
  assert.deepEqual(noticesOf(decided.done), []);
});

test("the last row of a long upload decides how the first one is read", async () => {
  const acme = await api.tenant();
  const rows = filler("03/04/2025");
  const text = `name,decision_date\n${rows.join("")}Last,25/04/2025\n`;
  const done = await importFile(acme, "leads", text);
  assertCounts(done, { rows: MANY + 1, created: MANY + 1 });
  assert.equal(decisionsOf(done)[0]?.value, "dmy");
  const [, first] = await recordsOf(acme, "/crm/leads");
  assert.equal(first?.["decision_date"], Date.UTC(2025, 3, 3) / 1000);
  assert.deepEqual(readdirSync(path), []);
  assert.equal(importSpool.reserve(64 * 1024 * 1024), true);
  importSpool.free(64 * 1024 * 1024);
});

const dealRow = (value: unknown) => `${JSON.stringify({ name: "x", account: "Globex", value })}\n`;

test("NDJSON is decided by all its rows, too; its numbers are exact", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const text = dealRow("1.234").repeat(600) + dealRow("3.500.000") + dealRow(12.5);
  const done = await importFile(acme, "deals", text, { file_name: "x.ndjson" });
  assertCounts(done, { rows: 602, created: 602 });
  const [exact, , first] = await recordsOf(acme, "/crm/deals");
  assert.deepEqual([exact?.["value_of_sale"], first?.["value_of_sale"]], [12.5, 1234]);
});

interface Source {
  readonly text: string;
  readonly second?: SecondReading;
  readonly options?: IntakeOptions;
}

async function datesOf({ text, second = {}, options = {} }: Source) {
  const chunks = () =>
    Readable.from([text.slice(0, 5000), text.slice(5000)].map((part) => Buffer.from(part)));
  const source = new Rereadable(chunks(), second);
  const intake = await openIntake(BUILT_IN_TYPES.lead, source, options);
  const dates: unknown[] = [];
  for await (const row of intake.rows) {
    assert.ok(!isRefused(row), JSON.stringify(row));
    dates.push(row.body["decision_date"]);
  }
  await source.close();
  return { dates, report: intake.report() };
}

const LONG = `name,decision_date\n${filler("03/04/2025").join("")}Last,25/04/2025\n`;
const MARCH = Date.UTC(2025, 2, 4) / 1000;
const APRIL = Date.UTC(2025, 3, 3) / 1000;

test("a file is opened again, and nothing of it is stored", async () => {
  const reopen = () => Readable.from([Buffer.from(LONG)]);
  const { dates } = await datesOf({ text: LONG, second: { reopen } });
  assert.equal(dates.length, MANY + 1);
  assert.equal(dates[0], APRIL);
});

test("without space for the whole file the first rows decide, with a notice, and no row is lost", async () => {
  for (const max_bytes of [0, 10_000, 20_000]) {
    const spool = new Spool({ folder: path, max_bytes, log });
    const { dates, report } = await datesOf({ text: LONG, second: { spool } });
    assert.equal(dates.length, MANY + 1);
    assert.equal(dates[0], MARCH);
    assert.equal(dates.at(-1), undefined);
    assert.match(report.notices[0] ?? "", /IMPORT_SPOOL_MAX/);
    assert.equal(report.decisions[0]?.decided_by, "default");
    assert.equal(spool.reserve(max_bytes), true);
  }
});

/** A spool on a full disk: every write fails with ENOSPC. */
class FullDisk extends Spool {
  override create = () => open("/dev/full", "r+");
}

test("a full disk ends the storing of an upload, and nothing stays reserved", async () => {
  const max_bytes = 1024 * 1024;
  const spool = new FullDisk({ folder: path, max_bytes, log });
  const { dates, report } = await datesOf({ text: LONG, second: { spool } });
  assert.deepEqual([dates.length, dates[0]], [MANY + 1, MARCH]);
  assert.match(report.notices[0] ?? "", /temporary files/);
  assert.equal(spool.reserve(max_bytes), true);
});

test("a write that fails frees what was reserved for it", async () => {
  class ReadOnly extends Spool {
    override create = () => open("/dev/null", "r");
  }
  const max_bytes = 1024 * 1024;
  const spool = new ReadOnly({ folder: path, max_bytes, log });
  const source = new Rereadable(Readable.from([Buffer.from(LONG)]), { spool });
  await assert.rejects(openIntake(BUILT_IN_TYPES.lead, source), /EBADF/);
  await source.close();
  assert.equal(spool.reserve(max_bytes), true);
});

test("without space an encoding that only later rows show is still guessed, with a notice", async () => {
  const ascii = `name,decision_date\n${"Ann,2025-01-02\n".repeat(100_000)}`;
  const bytes = Buffer.from(`${ascii}${"José Muñoz,2025-01-02\n".repeat(100)}`, "latin1");
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
    bytes.subarray(at * 65_536, (at + 1) * 65_536),
  );
  for (const max_bytes of [0, 100_000, 10_000_000]) {
    const spool = new Spool({ folder: path, max_bytes, log });
    const source = new Rereadable(Readable.from(pieces), { spool });
    const { rows, report } = await openIntake(BUILT_IN_TYPES.lead, source);
    let last = "";
    for await (const { raw } of rows) last = raw;
    await source.close();
    assert.match(last, /^José Muñoz,/);
    assert.match(report().notices[0] ?? "", /^The encoding windows-1252 is a guess/);
  }
});

test("only an undecided column is asked about, and the reply is used", async () => {
  const asked: Decision[] = [];
  const ask = (decision: Decision) => {
    asked.push(decision);
    return Promise.resolve("dmy" as const);
  };
  const text = "name,decision_date\nAnn,03/04/2025\nBo,4.3.2025\nCy,13.3.2025\n";
  const { dates, report } = await datesOf({ text, options: { ask } });
  assert.deepEqual(dates, [APRIL, ...[4, 13].map((day) => Date.UTC(2025, 2, day) / 1000)]);
  assert.deepEqual(
    asked.map(({ separator, examples }) => [separator, examples]),
    [["/", ["03/04/2025"]]],
  );
  assert.equal(report.decisions[0]?.decided_by, "answer");
  assert.deepEqual(report.notices, []);
});

test("decisions made before an interruption apply to the rest", async () => {
  const decided = { heading: "decision_date", about: "dates", separator: "/" } as const;
  const decisions: readonly Decision[] = [
    { ...decided, value: "dmy", decided_by: "answer", examples: [] },
  ];
  const { dates } = await datesOf({ text: LONG, options: { decisions } });
  assert.equal(dates[0], APRIL);
});

test("all rows of NDJSON decide on members that only later rows have", async () => {
  const dateAt = (at: number) => (at === MANY ? "03/04/2025" : "25/04/2025");
  const text = Array.from({ length: MANY + 20 }, (_, at) =>
    JSON.stringify({ name: `Row ${at}`, ...(at >= MANY && { decision_date: dateAt(at) }) }),
  ).join("\n");
  const reopen = () => Readable.from([Buffer.from(text)]);
  const { dates } = await datesOf({ text, second: { reopen } });
  assert.deepEqual(dates.slice(MANY, MANY + 2), [APRIL, Date.UTC(2025, 3, 25) / 1000]);
});

test("a resumed NDJSON import reads members that only later rows have as it decided at first", async () => {
  const rows = Array.from({ length: MANY }, (_, at) => ({
    name: `Row ${at}`,
    ...(at < 10 && { decision_date: "25.04.2025" }),
    ...(at >= 1500 && { birth_date: at === 1900 ? "25/04/2001" : "03/04/2001" }),
    ...(at >= 1500 && { shoe: "1.234" }),
  }));
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const reopen = () => Readable.from([bytes]);
  const read = async (options: IntakeOptions) => {
    const source = new Rereadable(reopen(), { reopen });
    const intake = await openIntake(BUILT_IN_TYPES.contact, source, options);
    let at = 0;
    let saved: readonly Decision[] = [];
    let month: unknown;
    for await (const row of intake.rows) {
      if (at === 1000) saved = intake.report().decisions;
      if (at === 1600 && !isRefused(row)) month = row.body["birth_month"];
      at += 1;
    }
    await source.close();
    return { saved, month, report: intake.report() };
  };
  const whole = await read({});
  const resumed = await read({ decisions: structuredClone(whole.saved) });
  assert.deepEqual([whole.month, resumed.month], [4, 4]);
  assert.deepEqual(resumed.report, whole.report);
  assert.deepEqual(
    whole.report.decisions.map(({ heading }) => heading),
    ["birth_date", "decision_date"],
  );
});

const day = fc.record({
  year: fc.integer({ min: 1950, max: 2049 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
});

test("columns of random dates are read back, or nothing in them decides", () => {
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 30 }),
      fc.constantFrom("/", "-", "."),
      fc.boolean(),
      (days, sign, isDayFirst) => {
        const cells = days.map(({ year, month, day: of }) =>
          [...(isDayFirst ? [of, month] : [month, of]), year].join(sign),
        );
        const evidence = new ColumnEvidence();
        for (const cell of cells)
          evidence.add(cell, { numbers: false, dates: true, shares: false });
        const decisions = evidence.decide("Column", {});
        if (decisions[0]?.decided_by === "default") return;
        const { dates } = styleOf(decisions, {});
        assert.deepEqual(
          cells.map((cell) => readDay(cell, dates)),
          days.map((one) => ({ ...one })),
        );
      },
    ),
    { numRuns: runsOf(1000) },
  );
});

test("columns of random amounts are read back, or nothing in them decides", () => {
  const amount = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 30 }),
      fc.constantFrom("de-DE", "en-US", "en-IN", "fr-FR", "de-CH"),
      fc.constantFrom(0, 2),
      (amounts, locale, digits) => {
        const format = new Intl.NumberFormat(locale, {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
        const cells = amounts.map((value) => format.format(value));
        const evidence = new ColumnEvidence();
        for (const cell of cells)
          evidence.add(cell, { numbers: true, dates: false, shares: false });
        const decisions = evidence.decide("Column", {});
        if (decisions[0]?.decided_by === "default") return;
        const { decimal } = styleOf(decisions, {});
        const expected = amounts.map((value) => Number(value.toFixed(digits)));
        cells.forEach((cell, at) => {
          const read = readNumber(cell, decimal) ?? Number.NaN;
          assert.ok(Math.abs(read - (expected[at] ?? 0)) <= 10 ** -digits, `${cell}: ${read}`);
        });
      },
    ),
    { numRuns: runsOf(1000) },
  );
});
