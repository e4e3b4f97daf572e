/** The filter that the command palette sends for a search. */

import assert from "node:assert/strict";
import test from "node:test";
import { beginsWords } from "../../../console/src/palette/begins.ts";
import { findFilter } from "../../../console/src/palette/find-filter.ts";
import { consoleType } from "../console-types.ts";

test("a complete address or number is compared exactly, using an index", () => {
  const lead = consoleType("lead");
  const task = consoleType("task");
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ["ann@example.com", { email_list: "ann@example.com" }, undefined],
    ["(212) 555-0101", { phone_list: "(212) 555-0101" }, undefined],
    ["+47 22 22 22 22", { phone_list: "+47 22 22 22 22" }, undefined],
    ["ann@", { email_list: { $regex: "ann@" } }, { name: { $regex: "ann@", $options: "i" } }],
    ...["Ann (2)", "2026"].map((text) => {
      const escaped = text.replaceAll(/[()]/g, String.raw`\$&`);
      const named = { name: { $regex: escaped, $options: "i" } };
      const numbered = [named, { phone_list: text }, { phone_list: { $regex: text } }];
      return [text, text === "2026" ? { $or: numbered } : named, named] as const;
    }),
  ];
  for (const [text, ofLead, ofTask] of cases) {
    assert.deepEqual(findFilter(lead, text), ofLead, text);
    assert.deepEqual(findFilter(task, text), ofTask, text);
  }
});

test("pages match by the beginnings of words", () => {
  for (const [name, text, isFound] of [
    ["Business Settings", "ines", false],
    ["Business Settings", "set bus", true],
    ["Deal board", "boa DEA", true],
    ["Deal board", "boar x", false],
    ["Leads", "", true],
  ] as const) {
    assert.equal(beginsWords(name, text), isFound, `${name}: ${text}`);
  }
});
