/** Pointers into another system's response (RFC 6901), and the values that count as yes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isPointer, meansYes, valueAt } from "../../../src/exchange/callouts/json-pointer.ts";
import type { Json } from "../../../src/platform/json/json.ts";

/** The document and pointers from RFC 6901, section 5. */
const RFC: Json = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

const FOUND: readonly (readonly [pointer: string, value: Json | undefined])[] = [
  ["", RFC],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/c%d", 2],
  ["/e^f", 3],
  ["/g|h", 4],
  ["/i\\j", 5],
  ['/k"l', 6],
  ["/ ", 7],
  ["/m~0n", 8],
  ["/foo/1", "baz"],
  ["/foo/2", undefined],
  ["/foo/-", undefined],
  ["/foo/01", undefined],
  ["/foo/-1", undefined],
  ["/foo/1e0", undefined],
  ["/foo/length", undefined],
  ["/foo/0/0", undefined],
  ["/foo/0/length", undefined],
  ["/nothing", undefined],
  ["/nothing/deeper", undefined],
  ["/a~1b/x", undefined],
  ["/constructor", undefined],
  ["/__proto__", undefined],
  ["/foo/constructor/name", undefined],
];

test("a pointer finds what RFC 6901 defines, and nothing that is not in the document", () => {
  for (const [pointer, value] of FOUND) {
    assert.deepEqual(valueAt(RFC, pointer), value, pointer);
    assert.ok(isPointer(pointer), pointer);
  }
});

test("~01 is ~1 and no slash; own members of any name are found", () => {
  const document = JSON.parse('{"~1": 1, "/": 2, "__proto__": {"toString": 3}}') as Json;
  assert.equal(valueAt(document, "/~01"), 1);
  assert.equal(valueAt(document, "/~1"), 2);
  assert.equal(valueAt(document, "/__proto__/toString"), 3);
});

test("documents that are not objects can be found as a whole, and have no members", () => {
  for (const document of [null, true, 0, "text", []] as const) {
    assert.deepEqual(valueAt(document, ""), document);
    for (const pointer of ["/", "/0", "/length"]) {
      assert.equal(valueAt(document, pointer), undefined);
    }
  }
});

test("invalid pointers are recognized", () => {
  for (const text of [
    "exists",
    "exists/name",
    "#/exists",
    "/a~",
    "/a~2",
    "/~",
    "$.exists",
    " /a",
  ]) {
    assert.equal(isPointer(text), false, text);
  }
});

test("yes and no are understood in common spellings", () => {
  const yes: readonly Json[] = [
    true,
    1,
    -1,
    0.5,
    "true",
    "TRUE",
    "yes",
    "1",
    "found",
    "65f0c0ffee",
    "x",
    [0],
    [null],
    { id: 1 },
  ];
  const no: readonly (Json | undefined)[] = [
    undefined,
    null,
    false,
    0,
    -0,
    "",
    " ",
    "false",
    "FALSE",
    " No ",
    "no",
    "0",
    [],
    {},
  ];
  for (const value of yes) assert.equal(meansYes(value), true, JSON.stringify(value));
  for (const value of no) assert.equal(meansYes(value), false, JSON.stringify(value));
});
