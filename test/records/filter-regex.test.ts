import assert from "node:assert/strict";
import { test } from "node:test";
import { regexMatches, regexSql } from "../../src/records/filter/regex/index.ts";
import { testDatabase } from "../kit/database.ts";
import { endsInTime } from "../kit/time-guard.ts";

const printed = (pattern: string, options: string): string =>
  regexSql({ pattern, options, ignoresCase: false });

/** [pattern, options, resulting PostgreSQL pattern]. */
const PRINTED: readonly (readonly [string, string, string])[] = [
  ["^abc", "", "\\Aabc"],
  ["^abc$", "", "\\Aabc(?:(?=\\n\\Z)|\\Z)"],
  ["^a$", "m", "(?:\\A|(?<=\\n)(?!\\Z))a(?:(?=\\n)|\\Z)"],
  ["a.c", "", "a[^\\u000A]c"],
  ["a.c", "s", "a.c"],
  ["bob", "i", "[Bb][Oo][Bb]"],
  ["(?i)bob", "", "[Bb][Oo][Bb]"],
  ["(?i:b)o", "", "(?:[Bb])o"],
  ["(?-i:b)o", "i", "(?:b)[Oo]"],
  ["🦀".repeat(200), "", "\\U0001F980".repeat(200)],
  ["k", "i", "[Kk\\u212A]"],
  ["[a-c]", "i", "[A-Ca-c]"],
  ["[^k]", "i", "[^Kk\\u212A]"],
  ["\\d\\D", "", "[0-9][^0-9]"],
  ["\\w", "", "[0-9A-Z_a-z]"],
  ["[\\s\\S]", "", "."],
  ["(a)(?<n>b)(?P<m>c)(?:d)", "", "(?:a)(?:b)(?:c)(?:d)"],
  ["a+?b*?c??", "", "a+b*c?"],
  ["a{2}b{2,}c{2,3}", "", "a{2}b{2,}c{2,3}"],
  ["a{,3}", "", "a\\u007B\\u002C3\\u007D"],
  ["a b # comment", "x", "ab"],
  ["a\\ b", "x", "a b"],
  ["[]a][[b]", "", "[\\u005Da][\\u005Bb]"],
  ["[\\w-.]", "", "[\\u002D-\\u002E0-9A-Z_a-z]"],
  ["\\x41\\x{1F600}\\u00e9", "", "A\\U0001F600\\u00E9"],
  ["100%'\\\\", "", "100\\u0025\\u0027\\u005C"],
  ["a||b", "", "a||b"],
  ["", "", ""],
];

for (const [pattern, options, expected] of PRINTED) {
  test(`/${pattern}/${options} is asked as ${expected}`, () =>
    assert.equal(printed(pattern, options), `***:${expected}`));
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["(?=a)", /lookaround/],
  ["(?<!a)b", /lookaround/],
  ["(a)\\1", /backreferences/],
  ["(?<n>a)\\k<n>", /backreferences/],
  ["\\p{L}", /\\p is not supported/],
  ["[[:alpha:]]", /POSIX classes/],
  ["\\z", /\\z is not supported/],
  ["[\\A]", /\\A is not supported/],
  ["(?>a)", /invalid pattern/],
  ["a++", /Nothing to repeat/],
  ["*", /Nothing to repeat/],
  ["a{256}", /at most 255 times/],
  ["a{3,2}", /out of order/],
  ["(", /Unterminated group/],
  [")", /Unmatched/],
  ["[a", /missing its closing bracket/],
  ["[b-a]", /out of order/],
  ["a\\", /ends with a backslash/],
  ["(?<n>a)(?<n>b)", /Duplicate/],
  ["(a{100}){100}", /too many repetitions/],
  ["((a?){100}){10}", /too many repetitions/],
  ["a".repeat(201), /at most 200 characters/],
];

for (const [pattern, reason] of REFUSED) {
  test(`/${pattern.slice(0, 40)}/ is refused: ${reason.source}`, () =>
    assert.throws(() => printed(pattern, ""), reason));
}

/** [pattern, options, matching strings, strings that do not match]. */
const MEANT: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ["^ann$", "", ["ann", "ann\n"], ["Ann", "ann\n\n", "x\nann", "joann"]],
  ["^ann$", "im", ["x\nANN\ny", "Ann"], ["joann"]],
  ["müller", "i", ["MÜLLER", "Müller"], ["Muller"]],
  ["straße", "i", ["STRAẞE"], ["STRASSE"]],
  ["ΣΟΦΟΣ", "i", ["σοφος", "σοφοσ"], ["σοφο"]],
  ["\\bann\\b", "", ["ann", "x ann.", "-ann-"], ["joann", "ann_"]],
  ["^.$", "", ["😀", "é"], ["ab", "\n"]],
  ["a.*z", "s", ["a\nz"], ["a"]],
  ["^(a+)+$", "", ["a".repeat(5000)], [`${"a".repeat(5000)}!`]],
  ["^[^@]+@[\\w.-]+\\.com$", "", ["ann.o'neil@mail.example.com"], ["ann@@example.com"]],
];

test("patterns have the same meaning in PostgreSQL, in memory and in MongoDB, regardless of the collation", async (t) => {
  const { sql } = await testDatabase(t);
  const matches = async (text: string, pattern: string, options: string) => {
    const [row] = await sql`
      select ${text} collate "C" ~ ${printed(pattern, options)} as plain,
             ${text} collate "und-x-icu" ~ ${printed(pattern, options)} as icu`;
    const inMemory = regexMatches({ pattern, options, ignoresCase: false }, text);
    return [row?.["plain"], row?.["icu"], inMemory];
  };
  for (const [pattern, options, yes, no] of MEANT) {
    for (const text of yes) {
      assert.deepEqual(
        await matches(text, pattern, options),
        [true, true, true],
        `${pattern} ${text}`,
      );
    }
    for (const text of no) {
      assert.deepEqual(
        await matches(text, pattern, options),
        [false, false, false],
        `${pattern} ${text}`,
      );
    }
  }
});

test("a case-sensitive prefix is served by an index", async (t) => {
  const { sql } = await testDatabase(t);
  await sql`create table texts (value text collate "C")`;
  await sql`insert into texts select md5(i::text) from generate_series(1, 5000) as i`;
  await sql`create index on texts (value)`;
  await sql`analyze texts`;
  const plan = await sql.unsafe(`explain select from texts where value ~ '${printed("^abc", "")}'`);
  assert.match(JSON.stringify(plan), /Index Cond: \(\(value >= 'abc'/);
});

/** Patterns for which a backtracking matcher takes exponential or quadratic time on this text. */
const LONG = "a".repeat(100_000);
const NESTED = `${"(".repeat(60)}a${"+)".repeat(60)}$`;
const ADVERSARIAL = ["^(a+)+$", "(a|a)*b", "(a|aa)+$", "(a*)*b", "(.*a){20}b", NESTED, "a*a*a*a*b"];

for (const pattern of ADVERSARIAL) {
  test(`in memory, /${pattern.slice(0, 20)}/ takes linear time on 100,000 characters`, () => {
    const written = { pattern, options: "", ignoresCase: false };
    assert.ok(!endsInTime(pattern, () => regexMatches(written, `${LONG}!`)));
  });
}

test("groups that match only the empty string can be repeated without cost", () => {
  const pattern = `${"(".repeat(20)}|${"){255}".repeat(20)}b`;
  const written = { pattern, options: "", ignoresCase: false };
  assert.ok(endsInTime(pattern, () => regexMatches(written, "ab") && !regexMatches(written, "a")));
});
