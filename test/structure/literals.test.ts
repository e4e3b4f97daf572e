/** Automated checks that no literal is used to write several statements or members as one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readSources } from "../../tools/sources.ts";
import { check } from "./check.ts";
import { packedLiterals } from "./literals.ts";

for (const folder of ["src", "console/src", "sdk/src", "test", "tools", "bench"])
  test(`every statement and member of ${folder} is written separately`, () =>
    check(readSources(folder), packedLiterals));

test("packed literals are found", () => {
  const packed = [
    "f({ a, ...{ b, c: [1] } })",
    "f([a, ...[b, { c }]])",
    "f(...[a, b])",
    "f(<A {...{ b, c }} />)",
    'f(["a", "b"].join(" "))',
    "f([a].concat([b]))",
    "let [a, b] = [1, 2]",
    "const [a, { b }] = [c(), d()]",
    "for (let [a, b] = [1, 2]; ; ) f()",
    "if (c) [a.x, b] = [1, 2]",
    "[a, b] = [b, c]; [a, c] = [1, 2]",
  ];
  const found = packed.map((text) => packedLiterals({ path: "x.tsx", text }).length);
  assert.deepEqual(
    found,
    packed.map(() => 1),
  );
});

test("swaps, copies, calls and conditions are not packed literals", () => {
  const plain = [
    "f([...[...a].map(g)])",
    "f({ ...(a ? { b } : {}), ...(c && { d }) })",
    "f(lines.join(' '), ['a', b].join(' '), ['a', 'b'].join('\\n'), [a].concat(b))",
    "const [a, b] = await Promise.all([c(), d()])",
    "const [a, b] = [...c]",
    "const [a] = [1, 2]",
    "[a, b] = [b, a]; [x[i], x[j]] = [x[j], x[i]]",
  ];
  const found = plain.map((text) => packedLiterals({ path: "x.tsx", text }));
  assert.deepEqual(found.flat(), []);
});
