/** The scan that counts JSON tokens before parsing, compared with JSON.parse. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countJson, findList, hasTooManyMembers } from "../../src/platform/json/json-limits.ts";
import { isLong } from "../kit/long.ts";

/** `npm run test:long` tries ten times as many texts. */
const TIMES = isLong ? 10 : 1;
const RUNS = { numRuns: 2000 * TIMES };
const value = fc.jsonValue({ maxDepth: 6, stringUnit: "binary" });
const SPACES = fc.constantFrom("", " ", "\n\t", "\r\n  ");

/** JSON text with repeated keys, and with spaces and escapes wherever they are allowed. */
const jsonText = fc.letrec<{ text: string; list: string; object: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.jsonValue({ maxDepth: 0, stringUnit: "binary" }).map((plain) => JSON.stringify(plain)),
    fc.constantFrom('"\\u005b\\""', '"[{,"', '"\\\\"', "-1.5e+10", '"é😀\\n"'),
    tie("list"),
    tie("object"),
  ),
  list: fc
    .tuple(SPACES, fc.array(tie("text"), { maxLength: 6 }), SPACES)
    .map(([before, items, after]) => `[${before}${items.join(`${after},${before}`)}${after}]`),
  object: fc
    .tuple(
      SPACES,
      fc.array(fc.tuple(fc.constantFrom('"a"', '"b\\""', '"\\u0061"', '"{"'), tie("text")), {
        maxLength: 6,
      }),
      SPACES,
    )
    .map(([before, members, after]) => {
      const written = members.map(([key, text]) => `${before}${key}${after}:${before}${text}`);
      return `{${before}${written.join(`${after},`)}${after}}`;
    }),
})).text;

function walk(given: unknown): { members: number; depth: number } {
  if (typeof given !== "object" || given === null) return { members: 0, depth: 0 };
  const inner = Object.values(given).map(walk);
  return {
    members: inner.reduce((sum, one) => sum + one.members, inner.length),
    depth: 1 + Math.max(0, ...inner.map((one) => one.depth)),
  };
}

/** Returns the parsed value, or undefined if JSON.parse rejects the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("a value has as many members and is as deep as a walk over it finds", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (given, indent) => {
      const bytes = Buffer.from(JSON.stringify(given, null, indent));
      const { members, depth, end } = countJson(bytes);
      assert.deepEqual({ members, depth, end }, { ...walk(given), end: bytes.length });
    }),
    RUNS,
  );
});

test("repeated keys count as often as the text has them", () => {
  const bytes = Buffer.from('{"a": 1, "a": [1, 2], "\\u0061": {"b": {}}}');
  assert.equal(countJson(bytes).members, 3 + 2 + 1);
});

/** A JSON token, which may follow spaces. */
const STRING = String.raw`"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const TOKEN = new RegExp(
  String.raw`[ \t\r\n]*([\[\]{},:]|${STRING}|${NUMBER}|true|false|null)`,
  "yu",
);

/**
 * Counts the members and elements that a left-to-right parser starts before the first error. This is a slow,
 * independent count of what JSON.parse may create. Never throws.
 */
function begunIn(text: string): { members: number; isValid: boolean } {
  const token = new RegExp(TOKEN);
  let members = 0;
  const next = (): string => token.exec(text)?.[1] ?? fail();
  const fail = (): never => {
    throw new SyntaxError(text);
  };
  const readValue = (first: string): void => {
    if (first !== "[" && first !== "{") return "]}:,".includes(first) ? fail() : undefined;
    const close = first === "[" ? "]" : "}";
    for (let inner = next(), isFirst = true; ; isFirst = false, inner = next()) {
      if (inner === close) return isFirst ? undefined : fail();
      if ("]}:,".includes(inner)) fail();
      members += 1;
      if (close === "]") readValue(inner);
      else if (!inner.startsWith('"') || next() !== ":") fail();
      else readValue(next());
      const after = next();
      if (after === close) return undefined;
      if (after !== ",") fail();
    }
  };
  try {
    readValue(next());
    return { members, isValid: text.slice(token.lastIndex).trim() === "" };
  } catch {
    return { members, isValid: false };
  }
}

test("strings, escapes, spaces and repeated keys do not mislead the scan", () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const { members, depth, end } = countJson(Buffer.from(text));
      assert.equal(members, begunIn(text).members);
      assert.ok(depth >= walk(JSON.parse(text)).depth);
      assert.equal(end, Buffer.byteLength(text));
    }),
    RUNS,
  );
});

/** JSON text in which a few bytes are removed, replaced or inserted. */
const mutated = fc
  .tuple(
    jsonText,
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'[]{},:"\\ 1a\u0000'.split(""))), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, changes]) => {
    let bytes = Buffer.from(text);
    for (const [place, removed, inserted] of changes) {
      const at = place % (bytes.length + 1);
      const rest = bytes.subarray(at + removed);
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), rest]);
    }
    return bytes;
  });

test("on an invalid text the scan ends, and what is read before the error was counted", () => {
  let invalid = 0;
  fc.assert(
    fc.property(mutated, (bytes) => {
      const { members, end } = countJson(bytes);
      assert.ok(end <= bytes.length && members <= bytes.length);
      const begun = begunIn(bytes.toString());
      assert.equal(begun.isValid, parsed(bytes.toString()) !== undefined);
      assert.ok(members >= begun.members);
      if (!begun.isValid) invalid += 1;
    }),
    { numRuns: 20_000 * TIMES },
  );
  assert.ok(invalid > 5000, `${invalid} texts were invalid`);
});

test("the scan stops at the limit, wherever the limit is", () => {
  fc.assert(
    fc.property(value, fc.nat(20), (given, max) => {
      const bytes = Buffer.from(JSON.stringify(given));
      const { members } = countJson(bytes, 0, max);
      const all = walk(given).members;
      assert.equal(members, all > max ? max + 1 : all);
    }),
    RUNS,
  );
});

test("a text has too many members from 50,001 on", () => {
  assert.equal(hasTooManyMembers(Buffer.from(`[${"1,".repeat(49_999)}1]`)), false);
  assert.equal(hasTooManyMembers(Buffer.from(`[${"1,".repeat(50_000)}1]`)), true);
  assert.equal(hasTooManyMembers(Buffer.from(`["${"[,".repeat(50_000)}"]`)), false);
});

const LIMITS = { elementsMax: 100 };

/** Returns the bytes of each element that a scan found. */
function elementTexts(bytes: Buffer, { starts, end }: { starts: readonly number[]; end: number }) {
  return starts.map((start, at) => bytes.subarray(start, (starts[at + 1] ?? end + 1) - 1));
}

test("the list of a member is found with the bounds of its elements", () => {
  const member = fc.tuple(fc.constantFrom('"a"', '"items"', '"\\u0069tems"'), jsonText);
  fc.assert(
    fc.property(fc.array(member, { maxLength: 4 }), SPACES, (members, space) => {
      const text = `${space}{${members.map(([key, of]) => `${space}${key} :${space}${of}`).join()}}`;
      const bytes = Buffer.from(text);
      const { list, excess } = findList(bytes, "items", LIMITS);
      assert.equal(excess, undefined);
      const expected = (JSON.parse(text) as { items?: unknown }).items;
      assert.equal(list !== undefined, Array.isArray(expected));
      if (list === undefined) return;
      const texts = elementTexts(bytes, list);
      assert.deepEqual(
        texts.map((one) => JSON.parse(one.toString()) as unknown),
        expected,
      );
      assert.equal(list.length, texts.length);
    }),
    RUNS,
  );
});

/**
 * Replaces each escape in valid text with its character, or with a substitute if the character must be escaped. This
 * avoids a bug in V8 13.6, where `JSON.parse` occasionally mistakes one escaped key for another: `{"b":1,"b\"":2}`
 * became `{"b":1,"b\\":2}`.
 */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\(?:u[\da-f]{4}|.)/gi, (escape) => {
    const character = JSON.parse(`"${escape}"`) as string;
    const mustBeEscaped = /["\\]/.test(character) || character < " ";
    return mustBeEscaped ? String.fromCodePoint(0xe0_00 + character.charCodeAt(0)) : character;
  });

test("a mutated text never makes the search for a list fail or accept what is invalid", () => {
  fc.assert(
    fc.property(mutated, (inner) => {
      const bytes = Buffer.concat([Buffer.from('{"items": ['), inner, Buffer.from("]}")]);
      const { list } = findList(bytes, "items", LIMITS);
      const given = parsed(bytes.toString()) as { items?: unknown } | undefined;
      if (list === undefined || list.length > LIMITS.elementsMax) return;
      const outside = [bytes.subarray(0, list.start), bytes.subarray(list.end)].join("");
      const texts = elementTexts(bytes, list).map(String);
      // If all pieces are valid on their own, the whole text must be valid and contain the same items, and vice versa.
      const pieces = [parsed(outside), ...texts.map(parsed)];
      const areValid = pieces.every((piece) => piece !== undefined);
      assert.equal(areValid, given !== undefined);
      if (given === undefined) return;
      const { items } = JSON.parse(withoutEscapes(bytes.toString())) as { items?: unknown };
      assert.deepEqual(
        texts.map((text) => JSON.parse(withoutEscapes(text)) as unknown),
        items,
      );
    }),
    { numRuns: 20_000 * TIMES },
  );
});

const excessIn = (text: string) =>
  findList(Buffer.from(text), "items", { elementsMax: 2, each: 3, all: 8 }).excess;

test("the exceeded limit is named: an element, all elements together, the rest", () => {
  assert.deepEqual(excessIn('{"items": [[], [1, 2, 3, 4]]}'), { element: 1 });
  assert.equal(excessIn('{"items": [1, 2, [1, 2], [3, 4], 1]}'), "elements");
  assert.equal(excessIn('{"a": [1, 2, 3], "items": []}'), "rest");
  assert.equal(excessIn('{"items": [1, 2, 3], "items": 4}'), "rest");
  assert.equal(excessIn("[1, 2, 3, 4]"), "rest");
  assert.equal(excessIn('{"items": [1, 2, [3, 4]]}'), undefined);
});
