/** Whole files: imports, exports and round trips, and fixing rejected rows. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { createReadStream } from "node:fs";
import { test } from "node:test";
import {
  inBatches,
  openIntake,
  rejectsWriter,
  Tally,
  type IntakeOptions,
} from "../../../src/files/imports/index.ts";
import { isRefused, type RefusedRow } from "../../../src/files/rows/index.ts";
import { writeRecords, type Format } from "../../../src/files/read/index.ts";
import { type RecordName, BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";
import { gather } from "../read/gather.ts";
import { runsOf } from "../../kit/long.ts";

async function* bytesOf(text: string, size = 64) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function takeIn(name: RecordName, bytes: AsyncIterable<Uint8Array>, options: IntakeOptions) {
  const intake = await openIntake(BUILT_IN_TYPES[name], bytes, options);
  const tally = new Tally();
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const refused: RefusedRow[] = [];
  for await (const row of intake.rows) {
    if (isRefused(row)) {
      tally.reject();
      refused.push(row);
    } else {
      tally.take(row);
      bodies.push(row.body);
    }
  }
  return { intake, bodies, refused, counts: tally.report() };
}

const EXAMPLES: readonly (readonly [string, RecordName, IntakeOptions["mapping"], object])[] = [
  ["leads-web-form.csv", "lead", {}, { rows: 6, taken: 5, rejected: 1 }],
  ["contacts-semicolon-windows-1252.csv", "contact", {}, { rows: 3, taken: 3, rejected: 0 }],
  ["contacts-old-mac.csv", "contact", {}, { rows: 3, taken: 3, rejected: 0 }],
  ["accounts-utf-16.csv", "account", {}, { rows: 3, taken: 3, rejected: 0 }],
  [
    "deals-without-names.csv",
    "deal",
    { set: { name: "{account} – {product}" }, default_account: "Walk-in" },
    { rows: 6, taken: 6, rejected: 0 },
  ],
  ["tasks.ndjson", "task", {}, { rows: 3, taken: 2, rejected: 1 }],
];

for (const [file, name, mapping = {}, expected] of EXAMPLES) {
  test(`the example ${file} is imported`, async () => {
    const path = new URL(`../../../examples/${file}`, import.meta.url);
    const { counts } = await takeIn(name, createReadStream(path), {
      file: { name: file },
      mapping,
    });
    const { rows, taken, rejected } = counts;
    assert.deepEqual({ rows, taken, rejected }, expected);
  });
}

test("an unknown value is counted with its rows", async () => {
  const text = "Name,Status\nAnn,Odd\nBo,Odd\nCy,open\n";
  const { counts } = await takeIn("lead", bytesOf(text), {});
  assert.deepEqual(counts, {
    rows: 3,
    taken: 3,
    rejected: 0,
    skipped: 0,
    references: {},
    warned: 2,
    warnings: { unknown_word: 2 },
    words: [{ kind: "unknown_word", field: "status", word: "Odd", rows: 2 }],
  });
});

for (const [format, text] of [
  ["csv", 'Name;Notes\n;"only\na ""note"""\nAnn;x\nBo;y;z\n'],
  ["ndjson", '{"Name":"","Notes":"only"}\n{"Name":"Ann"}\n{"Name":"","Notes":"more"}\n'],
] as const) {
  test(`the rejected rows of a ${format} file can be fixed and imported`, async () => {
    const { intake, refused } = await takeIn("lead", bytesOf(text), {});
    assert.equal(refused.length, 2);
    const writer = rejectsWriter(intake.file);
    const rejects = writer.head + refused.map((row) => writer.lineOf(row)).join("");
    const again = await takeIn("lead", bytesOf(rejects), {});
    assert.deepEqual(again.intake.report().read_only, ["reject_line", "reject_reason"]);
    assert.deepEqual(
      again.refused.map(({ reason }) => reason.replace(/\d/g, "")),
      refused.map(({ reason }) => reason.replace(/\d/g, "")),
    );
    const mended = await takeIn("lead", bytesOf(rejects.replace("only", "Ann")), {
      mapping: { map: { Name: "", Notes: "name" } },
    });
    assert.match(String(mended.bodies[0]?.["name"]), /^Ann/);
  });
}

/** Returns the file of rejects of a file, with the same line and reason for all rows. */
async function rejectsOf(text: string): Promise<string> {
  const { intake, refused } = await takeIn("lead", bytesOf(text), {});
  const { head, lineOf } = rejectsWriter(intake.file);
  return head + refused.map((row) => lineOf({ ...row, line: 7, reason: "late" })).join("");
}

for (const [format, text] of [
  ["csv", "Name;Notes\n;only\n"],
  ["ndjson", '{"Name":"","Notes":"only"}\n'],
] as const) {
  test(`${format} rows that are rejected twice have only their latest line and reason`, async () => {
    const once = await rejectsOf(text);
    const twice = await rejectsOf(once.replaceAll("7", "5").replaceAll("late", "early"));
    assert.equal(twice, once);
  });
}

test("members that only later rows of NDJSON have are mapped and reported", async () => {
  const first = Array.from({ length: 600 }, (_, at) => `{"name":"${at}"}`).join("\n");
  const last = '{"name":"Ann","Email":"ann@example.com","shoe":44}';
  const { intake, bodies } = await takeIn("lead", bytesOf(`${first}\n${last}`), {});
  assert.deepEqual(bodies.at(-1), { name: "Ann", email: "ann@example.com" });
  assert.deepEqual(intake.report().unmatched, ["shoe"]);
});

const lines = fc
  .string({ unit: "grapheme", maxLength: 30 })
  .filter((text) => !text.includes("\u0000"));
const optional = fc.option(
  // Exclude white space, because a cell that contains nothing else is imported as empty.
  lines.filter((text) => text.trim() !== ""),
  { nil: null },
);
const sent = fc.record({
  name: lines.filter((text) => text.trim() !== ""),
  email: optional,
  comments: optional,
  source: fc.constantFrom("Google", "Billboard Ad"),
  status: fc.constantFrom("open", "meeting-setup"),
  tags: fc.array(lines, { maxLength: 3 }),
  birth_year: fc.option(fc.integer({ min: 1900, max: 2020 }), { nil: null }),
  decision_date: fc.option(fc.integer({ min: 0, max: 2_000_000_000 }), { nil: null }),
  social_dict_list: fc.array(fc.record({ type: lines, url: lines }, { noNullPrototype: true }), {
    maxLength: 2,
  }),
});

const listOf = (email: string | null) => (email === null ? [] : [{ type: "Main", email }]);

for (const format of ["csv", "ndjson"] satisfies Format[]) {
  test(`records that were exported as ${format} are imported as they were sent`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 5 }), async (records) => {
        const stored = records.map((record) =>
          JSON.stringify({
            _id: "0".repeat(24),
            ...record,
            lead_status: record.status,
            email_list: listOf(record.email),
            ssn: "***-**-6789",
            created_ts: 1,
          }),
        );
        const pages = (async function* () {
          yield stored.slice(0, 2).map(bytesOfText);
          yield stored.slice(2).map(bytesOfText);
        })();
        const written = await gather(writeRecords(BUILT_IN_TYPES.lead, { format }, pages));
        const text = Buffer.concat(written).toString("utf8");
        const { bodies, refused } = await takeIn("lead", bytesOf(text), { file: { format } });
        assert.deepEqual(refused, []);
        const given = records.map((record) => ({
          ...Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)),
          email_list: listOf(record.email),
        }));
        assert.deepEqual(bodies, given);
      }),
      { numRuns: runsOf(200) },
    ));
}

function bytesOfText(text: string): Buffer {
  return Buffer.from(text);
}

test("batches keep the order and have the requested size", async () => {
  const rows = (async function* () {
    yield* [1, 2, 3, 4, 5];
  })();
  assert.deepEqual(await gather(inBatches(rows, 2)), [[1, 2], [3, 4], [5]]);
});
