/** Templates: every value is inserted unchanged and never breaks out of its context. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endsInTime } from "../../kit/time-guard.ts";
import { dialectOf, type Dialect } from "../../../src/exchange/callouts/template-dialect.ts";
import {
  readTemplate,
  renderTemplate,
  TemplateError,
} from "../../../src/exchange/callouts/template.ts";
import { runsOf } from "../../kit/long.ts";

const NAMES = ["name", "email", "phone"];

/** Renders a template with these values. Missing values are null. */
function rendered(
  text: string,
  contentType: string,
  values: Readonly<Record<string, string | null>>,
  raw: boolean | null = true,
): string {
  const all = { name: null, email: null, phone: null, ...values };
  return renderTemplate(readTemplate(text, { contentType, raw, names: NAMES }), all);
}

function faultOf(text: string, contentType: string, raw = true): string {
  try {
    readTemplate(text, { contentType, raw, names: NAMES });
  } catch (error) {
    assert.ok(error instanceof TemplateError);
    return error.message;
  }
  return assert.fail(`${text} is taken`);
}

const DIALECTS: readonly (readonly [contentType: string, dialect: Dialect | undefined])[] = [
  ["application/json", "json"],
  ["Application/JSON; charset=utf-8", "json"],
  ["application/vnd.api+json", "json"],
  ["text/json", "json"],
  ["application/xml", "xml"],
  ["text/xml;charset=UTF-8", "xml"],
  ["application/soap+xml", "xml"],
  ["text/html", "xml"],
  ["application/x-www-form-urlencoded", "form"],
  ["image/svg+xml", "xml"],
  ["application/xhtml+xml", "xml"],
  ["application/x-ndjson", "lines"],
  ["application/ndjson", "lines"],
  ["application/jsonl; charset=utf-8", "lines"],
  ["text/jsonlines", "lines"],
  ["application/json-seq", "lines"],
  ["application/geo+json-seq", "lines"],
  ["application/stream+json", "lines"],
  ["application/json5", "json5"],
  ["text/x-json5", "json5"],
  ["application/jsonc", "json5"],
  ["model/gltf+json", "json"],
  ["multipart/form-data; boundary=x", "multipart"],
  ["Multipart/Related; boundary=x", "multipart"],
  ["text/plain", undefined],
  ["text/csv", undefined],
  ["application/javascript", undefined],
  ["application/jsonish", undefined],
  ["", undefined],
];

test("the content type decides how values are escaped", () => {
  for (const [contentType, dialect] of DIALECTS) assert.equal(dialectOf(contentType), dialect);
});

/** Values that are likely to break a template. */
const AWKWARD: readonly string[] = [
  'Ada "the Countess" O\'Hara',
  'x", "admin": true, "y": "',
  "}}{{email}}{{name}}",
  "{{email}}",
  "{{ unknown }}",
  "two\nlines\r\nand\ttabs",
  "back\\slash\\",
  '\\"',
  "\\u0022",
  "</name><admin>1</admin>",
  "]]><x/>&amp;",
  "a=1&b=2+3 %20;",
  "$& $1 $` $'",
  "é 𝒳 👩‍👩‍👧‍👦 \u2028\u2029",
  "\u0001\u001f\u007f",
  "",
  "null",
  "n".repeat(4990) + '"}\\\n{{x}}',
];

const JSON_TEMPLATE =
  '{"q": "{{name}}", "bare": {{name}}, "in": "<{{ name }}|{{name}}>", "n": [1]}';

test("JSON: a value stays itself inside a string and as a whole string", () => {
  for (const name of AWKWARD) {
    assert.deepEqual(JSON.parse(rendered(JSON_TEMPLATE, "application/json", { name })), {
      q: name,
      bare: name,
      in: `<${name}|${name}>`,
      n: [1],
    });
  }
});

test("JSON: null is null where a value is possible, and nothing inside a string", () => {
  const body = JSON.parse(rendered(JSON_TEMPLATE, "application/json", {})) as unknown;
  assert.deepEqual(body, { q: "", bare: null, in: "<|>", n: [1] });
});

test("JSON: strings before a placeholder are followed, with their escapes", () => {
  const template = '{"a\\"{{name}}": "\\\\", "b": {{name}}, "c\\\\": "\\"{{name}}\\""}';
  const body = JSON.parse(rendered(template, "application/json", { name: '"' })) as unknown;
  assert.deepEqual(body, { 'a""': "\\", b: '"', "c\\": '"""' });
});

test("for any values a JSON template renders to JSON whose strings are the values", () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "{{email}}", "\n", "/", "u0022") }),
  );
  const key = fc.string({ unit: "grapheme-ascii", maxLength: 10 });
  const before = fc.oneof(key, fc.constantFrom("\\", '"', '\\"', "{", "}", "{{"));
  fc.assert(
    fc.property(value, fc.option(value), before, (name, email, before) => {
      // The text around a placeholder can be anything except another placeholder.
      const text = JSON.stringify(before.replaceAll("{{", "{ {"));
      const inString = text.slice(1, -1);
      const template = `{"x": ${text}, "q": "${inString} {{name}} ${inString}", "b": [{{name}}, {{email}}]}`;
      const body = JSON.parse(rendered(template, "application/json", { name, email })) as object;
      const shown = JSON.parse(text) as string;
      assert.deepEqual(body, { x: shown, q: `${shown} ${name} ${shown}`, b: [name, email] });
    }),
    { numRuns: runsOf(500) },
  );
});

/** Decodes XML escapes. */
const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test("XML: a value is text without markup, in an element and in an attribute", () => {
  for (const name of AWKWARD) {
    const body = rendered("<lead by='{{name}}'>{{name}}</lead>", "application/xml", { name });
    const [, attribute = "", text = ""] = /^<lead by='([^'<]*)'>([^<>]*)<\/lead>$/.exec(body) ?? [];
    assert.doesNotMatch(text, /["'<>]|&(?!#\d+;)/);
    // A parser converts line breaks in an attribute to spaces and rejects control characters.
    assert.doesNotMatch(attribute, /[\t\n\r]|\p{Cc}/u);
    const writable = name.replace(/(?![\t\n\r])\p{Cc}/gu, "");
    assert.deepEqual([unescaped(attribute), unescaped(text)], [writable, writable]);
  }
});

test("XML: characters that XML cannot contain are omitted", () => {
  const name = "a\u0000\u0001\u0008\u000b\u001f\uFFFE\uFFFFb";
  assert.equal(rendered("<n>{{name}}</n>", "text/xml", { name }), "<n>ab</n>");
});

test("form: a value is one field's value, whatever it contains", () => {
  const template = "name={{name}}&email={{email}}&fixed=1";
  for (const name of AWKWARD) {
    const body = rendered(template, "application/x-www-form-urlencoded", { name });
    assert.deepEqual(
      [...new URLSearchParams(body)],
      [
        ["name", name],
        ["email", ""],
        ["fixed", "1"],
      ],
    );
  }
});

test("plain: a value is inserted as it is, and placeholders in it are not replaced", () => {
  for (const name of AWKWARD) {
    const email = "ada@example.com";
    const body = rendered("Name: {{name}}\n{{email}}{{phone}}.", "text/plain", { name, email });
    assert.equal(body, `Name: ${name}\n${email}.`);
  }
});

test("an unknown placeholder is rejected with the list of known ones", () => {
  for (const [text, found] of [
    ["{{nmae}}", "{{nmae}}"],
    ["{{name}} {{ Email }} {{x.y}} {{x.y}}", "{{Email}}, {{x.y}}"],
    ["{{}}", "{{}}"],
  ] as const) {
    for (const contentType of ["text/plain", "application/json"]) {
      const wanted = `unknown placeholder ${found}; available are {{name}}, {{email}}, {{phone}}`;
      assert.equal(faultOf(text, contentType), wanted);
    }
  }
});

test("braces without a placeholder are text", () => {
  const template = '{"a":{"b":{"c":"{{name}}"}},"d":"{name} { {name} } }}"}';
  const body = JSON.parse(rendered(template, "application/json", { name: "x" })) as unknown;
  assert.deepEqual(body, { a: { b: { c: "x" } }, d: "{name} { {name} } }}" });
});

/** Templates that do not render to valid JSON, at least for some values. */
const BROKEN: readonly string[] = [
  "",
  "{{name}}{{email}}",
  '{"name": {{name}}',
  '{"name": "{{name}}}',
  "{'name': {{name}}}",
  "{{{name}}: 1}",
  '{"x": 1{{name}}}',
  '{"x": {{name}},}',
  '{"x": // {{name}}\n1}',
  '{"x": "a\nb{{name}}"}',
];

test("a template that does not render to JSON is rejected if its content type is JSON", () => {
  for (const text of BROKEN) {
    assert.match(
      faultOf(text, "application/json"),
      /^the content type is JSON, but this does not render to valid JSON: /,
      text,
    );
    readTemplate(text, { contentType: "text/plain", raw: true, names: NAMES });
  }
});

const listOf = (count: number) => `[${Array(count).fill("{{name}}").join(",")}]`;

test("a template may use a hundred placeholders, and no more", () => {
  const body = JSON.parse(rendered(listOf(100), "application/json", { name: "x" })) as unknown[];
  assert.equal(body.length, 100);
  const wanted = "the template has 101 placeholders; the maximum is 100";
  assert.equal(faultOf(listOf(101), "application/json"), wanted);
  assert.equal(faultOf("{{name}}".repeat(101), "text/plain"), wanted);
});

test("no template is slow to read, however much it looks like a placeholder", () => {
  const long = 1_000_000;
  for (const text of [
    `{{${" ".repeat(long)}`,
    `{{${"\t".repeat(long)}}`,
    "{{ ".repeat(long / 3),
    "{".repeat(long),
    `{{a${" ".repeat(long)}b`,
  ]) {
    const body = endsInTime(text.slice(0, 5), () => rendered(text, "text/plain", {}));
    assert.ok(body === text, text.slice(0, 5));
  }
});
