/** Templates in formats other than plain JSON, XML and forms: no value breaks out of its context. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endsInTime } from "../../kit/time-guard.ts";
import {
  readTemplate,
  renderTemplate,
  TemplateError,
} from "../../../src/exchange/callouts/template.ts";
import { runsOf } from "../../kit/long.ts";

const NAMES = ["name", "email"];
type Values = Readonly<Record<string, string | null>>;

const rendered = (text: string, contentType: string, values: Values, raw: boolean | null = false) =>
  renderTemplate(readTemplate(text, { contentType, raw, names: NAMES }), {
    name: null,
    email: null,
    ...values,
  });

function checkRefused(text: string, contentType: string, fault: RegExp): void {
  const read = () => readTemplate(text, { contentType, raw: false, names: NAMES });
  assert.throws(read, (error: unknown) => {
    assert.ok(error instanceof TemplateError);
    assert.match(error.message, fault, text);
    return true;
  });
}

const AWKWARD: readonly string[] = [
  '","admin":true,"x":"',
  "', admin: true, x: '",
  '\n{"admin":true}\n',
  '\u001e{"admin":true}',
  "\u2028\u2029\u0085{}",
  "*/ admin: true, /*",
  "\\",
  "\\'",
  '\r\n--frontier\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1',
  "\n--frontier--\n",
  "\r--frontier",
  "--frontier",
  "--frontier--",
  "-\r\n",
  'x"; filename="a.exe',
  "x\r\nX-Admin: 1",
  "",
];

for (const type of ["application/x-ndjson", "application/jsonl", "application/json-seq"]) {
  test(`${type}: a value adds no line and no record`, () => {
    const start = type === "application/json-seq" ? "\u001e" : "";
    const template = `${start}{"a": "{{name}}", "b": {{name}}}\n${start}{"c": [{{email}}]}\n`;
    for (const name of AWKWARD) {
      const lines = rendered(template, type, { name })
        .replaceAll("\u001e", "\n")
        .split(/[\n\r\u0085\u2028\u2029]+/);
      const documents = lines
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as unknown);
      assert.deepEqual(documents, [{ a: name, b: name }, { c: [null] }]);
    }
    checkRefused(
      '{"a": {{name}}\n}',
      type,
      /^the content type is JSON, but this does not render to valid JSON/,
    );
  });
}

/** Evaluates JSON5 text with an independent parser. Throws if the text is not JSON5. */
const json5 = (text: string): unknown =>
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- every JSON5 text is an expression
  (new Function(`"use strict"; return (${text}\n);`) as () => unknown)();

test("JSON5: a value stays itself in either quotes and bare, next to comments with quotes", () => {
  const template = `{
    // don't "stop
    a: '{{name}}', /* it's " */ b: "{{name}}", c: {{name}}, d: 'it\\'s {{name}}',
  }`;
  for (const name of AWKWARD) {
    for (const type of ["application/json5", "application/jsonc"]) {
      const body = json5(rendered(template, type, { name }));
      assert.deepEqual(body, { a: name, b: name, c: name, d: `it's ${name}` });
    }
  }
  for (const text of ["{a: 1 // {{name}}\n}", "{a: 1 /* {{name}} */}"]) {
    checkRefused(text, "application/json5", /^a placeholder cannot be in a comment$/);
  }
});

test("JSON: a placeholder cannot be in an escape sequence", () => {
  const json = part(`${FORM_DATA}\nContent-Type: application/json`, "TEXT");
  const bodies = [
    ["application/json", "TEXT"],
    ["application/x-ndjson", "TEXT"],
    ["application/json5", "TEXT"],
    [MULTIPART, `${json}--frontier--`],
  ] as const;
  for (const [type, body] of bodies) {
    for (const start of ["\\", "\\\\\\", "\\u", "\\u00e", "\\x4"]) {
      const text = body.replace("TEXT", () => `{"a": "${start}{{name}}"}`);
      checkRefused(text, type, /^a placeholder cannot follow a backslash/);
    }
    const text = body.replace("TEXT", () => '{"a": "\\\\{{name}} \\u00e9{{name}}"}');
    assert.match(rendered(text, type, { name: "x" }), /\{"a": "\\\\x \\u00e9x"\}/);
  }
});

test("XML-like types are escaped as XML", () => {
  for (const type of [
    "image/svg+xml",
    "application/soap+xml",
    "application/xhtml+xml",
    "text/html",
  ]) {
    const escaped = "&#60;x/&#62;&#39; &#38; &#34;";
    const body = rendered("<a b='{{name}}'>{{name}}</a>", type, { name: "<x/>' & \"" });
    assert.equal(body, `<a b='${escaped}'>${escaped}</a>`);
  }
});

const MULTIPART = 'multipart/form-data; boundary="frontier"';

/** Places in XML and HTML where a value could add markup or would not be decoded. */
const MARKUP: readonly (readonly [text: string, fault: RegExp])[] = [
  ["<a title={{name}}>", /^a placeholder in a tag must be in a quoted attribute value$/],
  ["<a title='>\"' {{name}}>", /^a placeholder in a tag /],
  ["<{{name}}>", /^a placeholder in a tag /],
  ["<a>{{name}}</{{name}}>", /^a placeholder in a tag /],
  ["<!-- <a> {{name}} -->", /^a placeholder cannot be in a comment$/],
  ["<a><![CDATA[<b>{{name}}]]></a>", /^a placeholder cannot be in a CDATA section/],
];

const xmlPart = (text: string) => `${part("Content-Type: text/xml", text)}--frontier--`;

test("XML and HTML: a placeholder is in text or in a quoted attribute value", () => {
  for (const [text, fault] of MARKUP) {
    for (const type of ["text/html", "application/xml"]) checkRefused(text, type, fault);
    checkRefused(xmlPart(text), MULTIPART, fault);
    // Templates that were stored before `raw_template` existed continue to work.
    assert.match(rendered(text, "text/html", { name: "x" }, null), /x/);
  }
  const text = `<?xml version="1.0"?><!-- it's --><a b="it's {{name}}" c='{{name}}'>"{{name}}<![CDATA[<]]>{{name}}</a>`;
  for (const body of [text, xmlPart(text)]) {
    const type = body === text ? "application/xml" : MULTIPART;
    assert.ok(rendered(body, type, { name: "x" }).includes(text.replaceAll("{{name}}", "x")));
  }
});

/** Splits a multipart body into parts as a lenient parser would, for which any line break ends a line. */
function partsOf(body: string): readonly (readonly [headers: readonly string[], text: string])[] {
  const lines = body.split(/\r\n|\r|\n/);
  const parts: string[][] = [];
  let isOver = false;
  for (const line of lines) {
    if (line.startsWith("--frontier--")) isOver = true;
    else if (line.startsWith("--frontier")) parts.push([]);
    else if (!isOver) parts.at(-1)?.push(line);
  }
  return parts.map((part) => {
    const end = part.indexOf("");
    return [part.slice(0, end), part.slice(end + 1).join("\n")];
  });
}

/** Returns the text of the part at an index. */
const textAt = (body: string, at: number): string => partsOf(body)[at]?.[1] ?? "";

const part = (headers: string, text: string) => `--frontier\n${headers}\n\n${text}\n`;
const FORM_DATA = 'Content-Disposition: form-data; name="n"';

test("multipart: a value stays in its part, whatever it contains", () => {
  const template = `${part(FORM_DATA, "{{name}}")}${part(FORM_DATA, "<{{name}}{{email}}>")}--frontier--\n`;
  const check = (name: string, email: string | null) => {
    const body = rendered(template, MULTIPART, { name, email });
    const parts = partsOf(body);
    assert.deepEqual(
      parts.map(([headers]) => headers),
      [[FORM_DATA], [FORM_DATA]],
      body,
    );
    assert.doesNotMatch(body, /[^\r]\n|\r(?!\n)/);
  };
  for (const name of AWKWARD) {
    for (const email of [...AWKWARD, null]) check(name, email);
  }
  const pieces = fc.array(
    fc.constantFrom("\r", "\n", "-", "--", "frontier", "fron", "tier", " ", "a"),
  );
  const value = pieces.map((found) => found.join(""));
  fc.assert(fc.property(value, value, check), { numRuns: runsOf(2000) });
  const plain = partsOf(
    rendered(template, MULTIPART, { name: "two\nlines", email: "a@b.example" }),
  );
  assert.deepEqual(
    plain.map(([, text]) => text),
    ["two\nlines", "<two\nlinesa@b.example>"],
  );
});

test("multipart: a value in a part's header adds no header and ends no quote", () => {
  const header = 'Content-Disposition: form-data; name="f"; filename="{{name}}.txt"';
  const template = `${part(header, "x")}--frontier--`;
  for (const name of AWKWARD) {
    const body = rendered(template, MULTIPART, { name });
    const headers = partsOf(body)[0]?.[0] ?? [];
    assert.equal(headers.length, 1);
    assert.equal(textAt(body, 0), "x");
    const filename = /filename="([^"]*)"$/.exec(headers[0] ?? "")?.[1];
    const unescaped = filename?.replace(/%0D|%0A|%22/g, (code) => decodeURIComponent(code));
    assert.equal(unescaped, `${name}.txt`);
  }
});

test("multipart: a part of JSON or XML is escaped as such, and one of another type is rejected", () => {
  const json = part(
    `${FORM_DATA}\nContent-Type: application/json`,
    '{"a": "{{name}}", "b": {{name}}}',
  );
  const xml = part(`${FORM_DATA}\ncontent-type: text/xml; charset=utf-8`, "<a>{{name}}</a>");
  for (const name of AWKWARD) {
    const body = rendered(`${json}${xml}--frontier--`, MULTIPART, { name });
    assert.deepEqual(JSON.parse(textAt(body, 0)), { a: name, b: name });
    assert.match(textAt(body, 1), /^<a>[^<>]*<\/a>$/);
  }
  const other = part(`${FORM_DATA}\nContent-Type: text/csv`, "{{name}}");
  checkRefused(`${other}--frontier--`, MULTIPART, /^a part with a placeholder must be text\/plain/);
  checkRefused(`${json}--frontier--`, "multipart/form-data", /needs a boundary/);
  checkRefused("{{name}}", MULTIPART, /^each part must start with the line --frontier, /);
});

test("another content type needs raw_template, and one stored before is sent as it was", () => {
  const text = "Name: {{name}}";
  for (const type of ["text/plain", "text/csv", "application/yaml", "application/hjson", "x/y"]) {
    checkRefused(text, type, /^no escaping is known for .*raw_template/);
    assert.equal(rendered(text, type, { name: "a\nb" }, true), "Name: a\nb");
    assert.equal(rendered("no placeholder", type, {}), "no placeholder");
  }
  for (const type of [
    "application/x-ndjson",
    "application/json5",
    "multipart/form-data",
    "text/csv",
  ]) {
    assert.equal(rendered('{"a": "{{name}}"}', type, { name: '"' }, null), '{"a": """}');
  }
  assert.equal(
    rendered('{"a": "{{name}}"}', "application/json", { name: '"' }, null),
    '{"a": "\\""}',
  );
});

/** Pieces of values that are slow to process if a regular expression can match them in several ways. */
const REPEATED = ["\r\n", "\n", " ", "-", "\u2028", '"', "\\", "/", "a"];
/** Linear work on this many pieces takes milliseconds. Quadratic work takes more than a minute. */
const SIZE = 400_000;
const LIMIT_s = 20;

const FORMATS: readonly (readonly [type: string, template: (text: string) => string])[] = [
  ["application/json", (text) => `["${text}"]`],
  ["application/x-ndjson", (text) => `["${text}"]`],
  ["application/json5", (text) => `['${text}']`],
  ["text/xml", (text) => `<a>${text}</a>`],
  ["application/x-www-form-urlencoded", (text) => `a=${text}`],
  ["text/plain", (text) => text],
  [MULTIPART, (text) => `${part(FORM_DATA, text)}--frontier--`],
  [MULTIPART, (text) => `${part(`X-Names: ${text}`, "x")}--frontier--`],
  [MULTIPART, (text) => `${part("content-type: text/xml", text)}--frontier--`],
];

for (const [contentType, template] of FORMATS) {
  const place = JSON.stringify(template("…"));
  test(`${contentType}: no value takes quadratic time to insert into ${place}`, () => {
    const raw = contentType === "text/plain";
    const read = readTemplate(template("{{name}}"), { contentType, raw, names: NAMES });
    for (const piece of REPEATED) {
      for (const end of ["", "x"]) {
        const values = { name: piece.repeat(SIZE) + end, email: null };
        endsInTime(JSON.stringify(piece + end), () => renderTemplate(read, values), LIMIT_s);
      }
    }
  });
}

test("multipart: no Content-Type of a part takes quadratic time to read", () => {
  for (const end of ["text/plain", "\u2028", "x\u2028"]) {
    const template = part(`Content-Type:${" ".repeat(SIZE)}${end}`, "{{name}}") + "--frontier--";
    const rule = { contentType: MULTIPART, raw: false, names: NAMES };
    endsInTime(
      JSON.stringify(end),
      () => {
        try {
          readTemplate(template, rule);
        } catch (error) {
          assert.ok(error instanceof TemplateError);
        }
      },
      LIMIT_s,
    );
  }
});
