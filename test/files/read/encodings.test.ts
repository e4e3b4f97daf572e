/**
 * Every encoding that TextDecoder supports. A specified encoding is used; otherwise, the encoding is guessed, with a
 * notice.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import iconv from "iconv-lite";
import { decode } from "../../../src/files/read/decode.ts";
import { encodingOf, ENCODINGS } from "../../../src/files/read/encodings.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { gather } from "./gather.ts";
import { importFile, recordsOf } from "../imports/sending.ts";

const api = await sharedApi();

/** Names, cities and words in each language. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  ja: [
    "山田太郎,東京都千代田区,株式会社",
    "鈴木一郎,カタカナ会社,テスト",
    "高橋美咲,さくら商事,お客様",
  ],
  zh: ["王小明,北京市海淀区,科技有限公司", "李娜,上海市浦东新区,销售部", "刘洋,深圳市南山区,软件"],
  tw: ["王小明,台北市信義區,科技股份有限公司", "陳怡君,高雄市,業務部", "張雅婷,新竹市,軟體"],
  ko: ["김민수,서울특별시 강남구,주식회사", "이영희,부산광역시,영업부", "최수진,인천,소프트웨어"],
  pl: ["Łukasz Wiśniewski,Kraków,Spółka", "Żaneta Gołąb,Łódź,Sprzedaż", "Jiří Dvořák,Plzeň,Škoda"],
  ru: [
    "Иван Петров,Москва,Общество",
    "Мария Сидорова,Санкт-Петербург,Отдел",
    "Алексей,Казань,Клиент",
  ],
  uk: ["Олексій Їжакевич,Київ,Товариство", "Ганна Ґудзь,Львів,Єдиний клієнт", "Юрій,Одеса,Клієнт"],
  de: ["Jürgen Groß,Düsseldorf,Büro", "Käthe Schröder,Nürnberg,Verträge", "Günther,Köln,Kündigung"],
  es: ["José Núñez,Málaga,Compañía", "Íñigo Gutiérrez,Córdoba,Señor", "María Peña,León,Atención"],
  fr: ["François Lefèvre,Orléans,Société", "Hélène Gérard,Besançon,Équipe", "Noël,Nîmes,Crème"],
  sv: ["Åsa Björk,Malmö,Försäljning", "Märta Öberg,Göteborg,Kundtjänst", "Jörgen,Örebro,Säljare"],
  el: ["Γιώργος Παπαδόπουλος,Αθήνα,Εταιρεία", "Μαρία,Θεσσαλονίκη,Πωλήσεις", "Άννα,Πάτρα,Πελάτης"],
  tr: [
    "Ayşe Yılmaz,İstanbul,Şirketi",
    "Mehmet Öztürk,Diyarbakır,Satış",
    "Çağla Doğan,Muğla,Müşteri",
  ],
  he: ["דוד כהן,תל אביב,חברה", "שרה לוי,ירושלים,מכירות", "יוסף מזרחי,חיפה,לקוח"],
  ar: ["محمد علي,القاهرة,شركة", "فاطمة حسن,الرياض,مبيعات", "أحمد خالد,دبي,عميل"],
  lv: ["Jānis Bērziņš,Rīga,Uzņēmums", "Žygimantas Šimkus,Kaišiadorys,Įmonė", "Mägi,Tõrva,Müük"],
  th: ["สมชาย ใจดี,กรุงเทพ,บริษัท", "สมหญิง รักไทย,เชียงใหม่,ฝ่ายขาย", "วิชัย,ภูเก็ต,ลูกค้า"],
};

const GUESSED: readonly (readonly [encoding: string, language: string])[] = [
  ["shift_jis", "ja"],
  ["euc-jp", "ja"],
  ["gb18030", "zh"],
  ["big5", "tw"],
  ["euc-kr", "ko"],
  ["windows-1250", "pl"],
  ["iso-8859-2", "pl"],
  ["windows-1251", "ru"],
  ["koi8-r", "ru"],
  ["ibm866", "ru"],
  ["iso-8859-5", "ru"],
  ["koi8-u", "uk"],
  ["windows-1252", "de"],
  ["windows-1252", "es"],
  ["windows-1252", "fr"],
  ["windows-1252", "sv"],
  ["iso-8859-15", "fr"],
  ["windows-1253", "el"],
  ["iso-8859-7", "el"],
  ["windows-1254", "tr"],
  ["windows-1255", "he"],
  ["windows-1256", "ar"],
  ["iso-8859-6", "ar"],
  ["windows-1257", "lv"],
  ["iso-8859-13", "lv"],
  ["windows-874", "th"],
];

const HEAD = "name,city,employer_name,email\r\n";

function fileOf(language: string, rows: number): string {
  const lines = LINES[language] ?? [];
  const row = (_: unknown, at: number) => `${lines[at % lines.length]},user${at}@example.com\r\n`;
  return HEAD + Array.from({ length: rows }, row).join("");
}

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

for (const [encoding, language] of GUESSED) {
  test(`${encoding} is guessed from ${language}`, async () => {
    for (const rows of [3, 60, 500]) {
      const text = fileOf(language, rows);
      const bytes = iconv.encode(text, encoding);
      const { guessed, text: read } = await decode(inChunks(bytes, 1000));
      assert.equal((await gather(read)).join(""), text, `${rows} rows, ${guessed()}`);
      assert.notEqual(guessed(), undefined);
    }
  });
}

/** Texts in which one or two non-ASCII words are the only evidence of the encoding. */
const FEW: readonly (readonly [encoding: string, texts: readonly string[]])[] = [
  [
    "windows-1252",
    [
      "José Muñoz",
      "María Peña",
      "Hélène",
      "Noël",
      "Università",
      "Jürgen Groß",
      "Åsa Björk",
      "Søren Ærø",
      "João Gonçalves",
      "Curaçao",
      "François Lefèvre",
      "Íñigo Núñez",
      "10 €",
    ],
  ],
  ["windows-1250", ["Łukasz Wiśniewski", "Jiří Dvořák", "Lukáš Černý", "Plzeň Škoda"]],
];

for (const [encoding, texts] of FEW) {
  test(`${encoding} is guessed from one name, however many rows have it`, async () => {
    for (const name of texts) {
      for (const rows of [1, 3, 50, 500]) {
        const text = `name\n${`${name}\n`.repeat(rows)}`;
        const { guessed, text: read } = await decode(inChunks(iconv.encode(text, encoding), 1000));
        assert.equal((await gather(read)).join(""), text, `${name}, ${rows} rows, ${guessed()}`);
      }
    }
  });
}

const PREPARED = "x,y\n".repeat(300_000);

for (const [encoding, language] of GUESSED) {
  test(`${encoding} is guessed from ${language} after a megabyte of ASCII`, async () => {
    const text = fileOf(language, 60);
    const bytes = Buffer.concat([Buffer.from(PREPARED), iconv.encode(text, encoding)]);
    const { guessed, text: read } = await decode(inChunks(bytes, 64 * 1024));
    assert.equal(guessed(), undefined);
    const all = (await gather(read)).join("");
    assert.equal(all.slice(PREPARED.length), text, guessed());
  });
}

test("a late guess does not depend on how the bytes are divided into chunks", async () => {
  const name = iconv.encode("Łukasz\n", "windows-1250");
  const rest = iconv.encode(fileOf("pl", 60), "windows-1250");
  const bytes = Buffer.concat([
    Buffer.from(PREPARED),
    name,
    Buffer.from(PREPARED.slice(0, 2000)),
    rest,
  ]);
  for (const size of [1000, 64 * 1024, bytes.length - rest.length, bytes.length]) {
    const { guessed, text } = await decode(inChunks(bytes, size));
    await gather(text);
    assert.equal(guessed(), "windows-1250", `chunks of ${size} bytes`);
  }
});

test("ISO-2022-JP is guessed although it has only ASCII bytes", async () => {
  const bytes = Buffer.from("name\n\u001B$B;3ED\u001B(B\n");
  const { guessed, text } = await decode(inChunks(bytes, 5));
  assert.equal((await gather(text)).join(""), "name\n山田\n");
  assert.equal(guessed(), "iso-2022-jp");
});

test("an encoding that the file shows is no guess", async () => {
  for (const bytes of [
    Buffer.from("a\n"),
    Buffer.from("é\n"),
    Buffer.from("\uFEFFé\n", "utf16le"),
  ]) {
    const { guessed, text } = await decode(inChunks(bytes, 2));
    await gather(text);
    assert.equal(guessed(), undefined);
  }
});

for (const encoding of ENCODINGS) {
  test(`a file is read as ${encoding} if that is given`, async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const expected = new TextDecoder(encoding).decode(bytes);
    const { guessed, text } = await decode(inChunks(bytes, 10), { encoding });
    assert.equal((await gather(text)).join(""), expected);
    assert.equal(guessed(), undefined);
  });
}

test("other names of encodings are known", () => {
  const names = ["cp1250", "sjis", "latin1", "GB2312", "utf8", "ebcdic"].map(encodingOf);
  const known = ["windows-1250", "shift_jis", "windows-1252", "gbk", "utf-8", undefined];
  assert.deepEqual(names, known);
});

test("an import warns of a guess and uses a given encoding", async () => {
  const acme = await api.tenant();
  const bytes = iconv.encode(fileOf("pl", 3), "windows-1250");
  const done = await importFile(acme, "leads", bytes);
  const told = done["mapping"] as { readonly notices: readonly string[] };
  assert.match(told.notices.join("\n"), /^The encoding windows-1250 is a guess/);
  assert.equal((done["file"] as { encoding: string }).encoding, "windows-1250");
  const wrong = await importFile(acme, "leads", bytes, { encoding: "cp1252" });
  assert.deepEqual((wrong["mapping"] as typeof told).notices, []);
  const names = (await recordsOf(acme, "/crm/leads")).map(({ name }) => name);
  assert.equal(names[5], "Łukasz Wiśniewski");
  assert.equal(names[2], "£ukasz Wiœniewski");
});

test("a late guess is shown, too", async () => {
  const acme = await api.tenant();
  const ascii = `Ann,${"x".repeat(4000)}\n`.repeat(400);
  const bytes = Buffer.concat([
    Buffer.from("name,comments\n" + ascii),
    Buffer.from("Zo\xEB,\n", "latin1"),
  ]);
  const done = await importFile(acme, "leads", bytes, { dry_run: true });
  const told = done["mapping"] as { readonly notices: readonly string[] };
  assert.match(told.notices.join("\n"), /^The encoding windows-1252 is a guess/);
  assert.equal((done["file"] as { readonly encoding: string }).encoding, "windows-1252");
});
