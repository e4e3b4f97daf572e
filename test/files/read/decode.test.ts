/** Decoding: every encoding in docs/files.md#encodings gives the same text, however the bytes are chunked. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import iconv from "iconv-lite";
import { decode, type Encoding } from "../../../src/files/read/decode.ts";
import { gather } from "./gather.ts";

async function* chunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function check(bytes: Buffer, expected: { encoding: Encoding; text: string }, size = 7) {
  const { encoding, text } = await decode(chunksOf(bytes, size));
  const read = (await gather(text)).join("");
  assert.deepEqual({ encoding, text: read }, expected);
}

const TEXT = "Name;Ort\nJürgen Groß;Zürich\n";

for (const encoding of ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const) {
  test(`${encoding} is recognized without a byte order mark`, () =>
    check(iconv.encode(TEXT, encoding), { encoding, text: TEXT }));
}

for (const encoding of ["utf-8", "utf-16le", "utf-16be"] as const) {
  test(`${encoding} is recognized by its byte order mark, which is not part of the text`, () =>
    check(iconv.encode(TEXT, encoding, { addBOM: true }), { encoding, text: TEXT }));
}

test("UTF-16 without Latin letters is recognized by its signs and line ends", () => {
  const text = "имя,город\nАнна,Москва\n";
  return check(iconv.encode(text, "utf-16le"), { encoding: "utf-16le", text });
});

test("the euro sign and curly quotes of Windows-1252 are read", () =>
  check(Buffer.from([0x93, 0x80, 0x35, 0x94]), { encoding: "windows-1252", text: "“€5”" }));

test("Windows-1252 that begins after a megabyte of ASCII is read", async () => {
  const ascii = "a,b\n".repeat(300_000);
  const bytes = Buffer.concat([Buffer.from(ascii), Buffer.from([0xe9, 0x0a])]);
  const { text } = await decode(chunksOf(bytes, 65_536));
  assert.ok((await gather(text)).join("") === `${ascii}é\n`);
});

test("one damaged byte in valid UTF-8 affects one character", () => {
  const bytes = Buffer.concat([Buffer.from("é,ü,ö\n"), Buffer.from([0xff]), Buffer.from("x\n")]);
  return check(bytes, { encoding: "utf-8", text: "é,ü,ö\n\uFFFDx\n" });
});

test("a named encoding is used", async () => {
  const bytes = Buffer.from([0xc3, 0xa9]);
  const { text } = await decode(chunksOf(bytes, 1), { encoding: "windows-1252" });
  assert.equal((await gather(text)).join(""), "Ã©");
});

test("any UTF-8 text is read as it was written, however it is split", () =>
  fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (text, size) => {
        fc.pre(!text.includes("\u0000") && !text.startsWith("\uFEFF"));
        const decoded = await decode(chunksOf(Buffer.from(text), size), { encoding: "utf-8" });
        assert.equal((await gather(decoded.text)).join(""), text);
      },
    ),
  ));
