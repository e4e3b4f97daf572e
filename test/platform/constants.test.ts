/** Statements with values inserted into their text: only plain values are inserted, and the meaning does not change. */

import assert from "node:assert/strict";
import { test } from "node:test";
import sql from "sql-template-tag";
import { run, VARIABLE, withConstants } from "../../src/platform/database/index.ts";
import { migratedDatabase } from "../kit/database.ts";
import { openPools } from "../kit/started.ts";

const PLAIN = [
  "",
  "open",
  "meeting-setup",
  "a b",
  "2026-01-01T00:00:00+00:00",
  51,
  -1,
  0.5,
  1e21,
  true,
  false,
];
/** Every ASCII character that is not plain, and some non-ASCII characters. */
const HOSTILE = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  "é",
  "ʼ",
  "＇",
  "\u2028",
  "\uFEFF",
].filter((letter) => !/[\w .:@+-]/.test(letter));

test("plain values mean in the text what they mean as parameters", async (t) => {
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: 1, listTimeout_ms: 10_000 });
  for (const value of PLAIN) {
    const statement = sql`select ${value}::text as one, ${[value, value].map(String)}::text[] as two`;
    const text = withConstants(statement, () => true);
    assert.ok(text);
    const expected = await run(db.sql, statement);
    const found = await run(db.sql, { text, values: [] }, { prepare: true });
    assert.deepEqual([...found], [...expected]);
  }
});

test("a statement with a value that is not plain is unchanged", () => {
  assert.ok(HOSTILE.length > 60);
  for (const letter of HOSTILE) {
    for (const value of [letter, `a${letter}`, [`b${letter}`], ["plain", letter]]) {
      assert.equal(
        withConstants(sql`select ${value}, ${"plain"}`, () => true),
        undefined,
        JSON.stringify(value),
      );
    }
  }
  for (const value of [null, undefined, {}, 1n, new Date(0), [null], [["a"]], Buffer.from("a")]) {
    assert.equal(
      withConstants(sql`select ${value as never}`, () => true),
      undefined,
      String(value),
    );
  }
});

const mayBeLogged = (text: string): boolean => text === "open";

test("a text that may not be logged is never in the statement's text", () => {
  assert.equal(withConstants(sql`select ${"open"}, ${"Ada"}`, mayBeLogged), undefined);
  assert.equal(withConstants(sql`select ${["open", "Ada"]}`, mayBeLogged), undefined);
  assert.equal(
    withConstants(sql`select ${["open"]}, ${1}`, mayBeLogged),
    "select '{\"open\"}', '1'",
  );
});

test("variables become parameters, in their order", () => {
  const statement = sql`select ${"x"} where ${VARIABLE} < ${51} and ${VARIABLE} > ${"x"}`;
  assert.equal(
    withConstants(statement, () => true),
    "select 'x' where $1 < '51' and $2 > 'x'",
  );
});
