/** How `email`, `phone`, lookups, merges and conversions affect `email_list` and `phone_list`. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { importPushed, partnerOf } from "../../exchange/exchange-kit.ts";
import { assertCounts, importFile } from "../../files/imports/sending.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const LISTED = Object.values(BUILT_IN_TYPES).filter(({ sameBy }) => sameBy !== undefined);
const NAME = { name: "Ada Lovelace" };

const create = async (path: string, body: Body): Promise<Body> =>
  ok(await acme.post(path, { ...NAME, ...body })).body as Body;
const shownIn = (record: Body): unknown[] =>
  (record["email_list"] as Body[]).map(({ type, email }) => [type, email]);
const many = (count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, at) => `many${at}@${domain}.example`);

/** Returns a value as a quoted CSV cell. */
const cell = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;

for (const type of LISTED) {
  const path = type.writePath;
  const of = (record: Body): string => `${path}/${String(record["_id"])}`;
  const at = (name: string): string => `${name}@${type.name}.example`;

  test(`a list of a ${type.name} that is sent back unchanged does not undo a new email`, async () => {
    const made = await create(path, { email: at("a"), email_list: [at("a"), at("b")] });
    const { email_list } = made;
    const moved = ok(await acme.patch(of(made), { email: at("c"), email_list })).body as Body;
    assert.deepEqual(shownIn(moved), [
      ["Main", at("c")],
      ["Other", at("b")],
    ]);
    assert.equal(moved["email"], at("c"));
  });

  test(`a changed list of a ${type.name} wins over an email that is sent back unchanged`, async () => {
    const made = await create(path, { email: at("d"), email_list: [at("d"), at("e")] });
    const email_list = [
      { type: "Main", email: at("e") },
      { type: "Home", email: at("d") },
    ];
    const moved = ok(await acme.patch(of(made), { ...made, email_list })).body as Body;
    assert.deepEqual(shownIn(moved), [
      ["Main", at("e")],
      ["Home", at("d")],
    ]);
    assert.equal(moved["email"], at("e"));
    const answer = await acme.patch(of(made), {
      email: null,
      email_list: [{ type: "Main", email: at("d") }],
    });
    assert.deepEqual(
      answer.body.detail.map((issue: Body) => [issue["type"], issue["loc"], issue["input"]]),
      [["value_error", ["body", "email"], null]],
    );
  });

  test(`the same PUT of a ${type.name} by its email changes nothing, and never removes that email`, async () => {
    const by = `${path}/by/email/${encodeURIComponent(at("put"))}`;
    const bodies: readonly Body[] = [
      { email_list: [at("second")] },
      { email: at("put"), email_list: [at("third")] },
      { email_list: [{ type: "Main", email: at("first") }] },
      { email_list: [] },
    ];
    for (const body of bodies) {
      const one = ok(await acme.put(by, { ...NAME, ...body }));
      const again = ok(await acme.put(by, { ...NAME, ...body }));
      assert.equal(again.headers.get("x-result"), "unchanged", JSON.stringify(body));
      assert.equal(again.text, one.text);
      assert.ok(JSON.stringify(shownIn(one.body)).includes(at("put")), one.text);
    }
    const created = ok(
      await acme.put(`${path}/by/email/${encodeURIComponent(at("other"))}`, {
        ...NAME,
        email_list: [{ type: "Main", email: at("own") }],
      }),
    );
    assert.equal(created.headers.get("x-result"), "created");
    assert.deepEqual(shownIn(created.body), [
      ["Main", at("own")],
      ["Other", at("other")],
    ]);
  });

  test(`a ${type.name} is found, and known as a duplicate, by any entry`, async () => {
    const made = await create(path, {
      email: at("main"),
      email_list: [at("main"), { type: "Work", email: at("Work") }],
      phone_list: ["+44 20 7946 0123", { type: "Fax", phone: "+44 20 7946 0999" }],
    });
    const id = made["_id"];
    const guarded = async (body: Body, way: string) =>
      acme.post(`${path}?on_duplicate=${way}`, { ...NAME, ...body });
    for (const body of [
      { email: at("WORK") },
      { email_list: [at("new"), at("work")] },
      { phone_list: [{ phone: "+44 20 7946 0999" }] },
    ]) {
      const told = JSON.stringify(body);
      assert.equal((await guarded(body, "reject")).body.existing_id, id, told);
      assert.equal(ok(await guarded(body, "return")).body._id, id, told);
      const items = [{ ...NAME, ...body }];
      const batch = await acme.post(`${path}/batch?on_duplicate=return`, { items });
      assert.deepEqual([batch.body[0].result, batch.body[0]._id], ["existing", id], told);
    }
    // In a create request, an empty list is treated as omitted.
    const kept = ok(await guarded({ email: at("work"), email_list: [], phone_list: "" }, "update"));
    assert.deepEqual(kept.body.email_list, made["email_list"]);
    assert.deepEqual(kept.body.phone_list, made["phone_list"]);
    const put = ok(
      await acme.put(`${path}/by/phone/${encodeURIComponent("+44 20 7946 0999")}`, {}),
    );
    assert.equal(put.body._id, id);
    const twin = await create(path, { email_list: [{ type: "Old", email: at("work") }] });
    const [first] = ok(await acme.get(`${of(twin)}/duplicates`)).body as Body[];
    assert.equal((first?.["record"] as Body | undefined)?.["_id"] ?? first?.["_id"], id);
    for (const filter of [
      { email_list: at("WORK") },
      { "email_list.email": at("Work") },
      { "email_list.type": "Work" },
      { phone_list: "+44 (20) 7946-0999" },
      { "phone_list.type": "Fax" },
    ]) {
      const found = recordsIn(ok(await acme.get(path, { match_filter_dict: filter })));
      assert.ok(
        found.some((record) => record["_id"] === id),
        JSON.stringify(filter),
      );
    }
  });

  test(`merging ${type.table} keeps all entries, and a list beyond the limit can be sent back`, async () => {
    const external_id = `long ${type.name}`;
    const one = await create(path, { external_id, email_list: many(50, `one-${type.name}`) });
    const two = await create(path, { email_list: many(50, `two-${type.name}`) });
    const merged = ok(await acme.post(`${of(one)}/merge`, { ids: [two["_id"]] })).body as Body;
    const { email_list } = merged;
    assert.equal((email_list as Body[]).length, 100);
    assert.deepEqual(ok(await acme.patch(of(one), merged)).body, merged);
    const keys = { email: merged["email"], external_id };
    for (const [key, value] of Object.entries(keys)) {
      const put = ok(
        await acme.put(`${path}/by/${key}/${encodeURIComponent(String(value))}`, merged),
      );
      assert.equal(put.headers.get("x-result"), "unchanged", key);
    }
    const email = at("beyond");
    const moved = ok(await acme.patch(of(one), { email, email_list })).body as Body;
    assert.deepEqual([moved["email"], (moved["email_list"] as Body[]).length], [email, 100]);
    const longer = { ...NAME, email_list: [...(email_list as Body[]), "x@y.example"] };
    for (const answer of [
      await acme.patch(of(one), longer),
      await acme.put(`${path}/by/external_id/${encodeURIComponent(external_id)}`, longer),
      await acme.put(`${path}/by/email/${email}`, longer),
      await acme.put(`${path}/by/email/${at("unknown")}`, longer),
    ]) {
      assert.deepEqual(
        answer.body.detail.map((issue: Body) => [issue["type"], issue["loc"], issue["msg"]]),
        [
          [
            "too_long",
            ["body", "email_list"],
            "List should have at most 50 items after validation, not 101",
          ],
        ],
      );
    }
  });

  test(`the history of a ${type.name} shows its lists before and after`, async () => {
    const made = await create(path, { email_list: [at("was")] });
    const changed = ok(await acme.patch(of(made), { email_list: [at("was"), at("more")] })).body;
    const [entry] = ok(await acme.get(`${type.readPaths[0]}/${String(made["_id"])}/history`)).body;
    assert.deepEqual(entry.fields, {
      email_list: { old: made["email_list"], new: changed.email_list },
    });
  });

  test(`rows of files carry the lists of ${type.table}`, async () => {
    const email_list = [
      { type: "Main", email: at("row") },
      { type: "Work", email: at("row-work") },
    ];
    const phone_list = ["+44 20 7946 0321", { type: "Mobile", phone: "(212) 555-0321" }];
    const external_id = `row ${type.name}`;
    const row = { ...NAME, external_id, email_list, phone_list };
    const csv =
      `name,external_id,email_list,phone_list\r\n` +
      `Ada Lovelace,${external_id} csv,${cell(email_list)},+44 20 7946 0321; (212) 555-0321\r\n`;
    const files = [
      [`${JSON.stringify(row)}\n`, "ndjson", external_id],
      [csv, "csv", `${external_id} csv`],
    ] as const;
    for (const [text, format, key] of files) {
      for (const counts of [{ created: 1 }, { unchanged: 1 }]) {
        const done = await importFile(acme, type.name, text, {
          format,
          external_id: "external_id",
        });
        assertCounts(done, { rows: 1, ...counts });
      }
      const record = ok(await acme.put(`${path}/by/external_id/${key}`, {})).body as Body;
      assert.deepEqual(shownIn(record), [
        ["Main", at("row")],
        ["Work", at("row-work")],
      ]);
      assert.deepEqual(
        (record["phone_list"] as Body[]).map(({ type: word, phone }) => [word, phone]),
        [
          ["Main", "442079460321"],
          [format === "csv" ? "Other" : "Mobile", "12125550321"],
        ],
      );
    }
  });
}

test("a conversion keeps all entries of a lead, and checks the lists of its account", async () => {
  const lead = await create("/crm/leads", {
    email: "lead@convert.example",
    email_list: [{ type: "Work", email: "work@convert.example" }],
    phone_list: [{ type: "Mobile", phone: "+49 30 123456" }],
  });
  const path = `/crm/leads/${String(lead["_id"])}/convert`;
  const account = {
    name: "Example",
    email: "a@account.example",
    email_list: [{ type: "Main", email: "b@account.example" }],
  };
  const refused = await acme.post(path, { account });
  assert.deepEqual(refused.body.detail[0].loc, ["body", "account", "email"]);
  const { contact_id } = ok(await acme.post(path, {})).body;
  const contact = ok(await acme.get(`/crm/contacts/${contact_id}`)).body as Body;
  assert.deepEqual(
    [contact["email_list"], contact["phone_list"]],
    [lead["email_list"], lead["phone_list"]],
  );
});

test("a number of another country is never read again as a national one", async () => {
  // The German number has ten digits, so it could be mistaken for a US number.
  const made = await create("/crm/contacts", {
    phone: "(212) 555-0100 ext. 7",
    phone_list: ["(212) 555-0100 ext. 7", { type: "Berlin", phone: "+49 30 123456" }],
  });
  const berlin = { phone: "4930123456", country: "DE", formatted_phone: "030 123456" };
  assert.deepEqual((made["phone_list"] as Body[])[1], { type: "Berlin", ...berlin });
  const path = `/crm/contacts/${String(made["_id"])}`;
  const swapped = ok(
    await acme.patch(path, {
      phone_list: [{ type: "Main", phone: berlin.phone }, "12125550100"],
    }),
  ).body as Body;
  assert.equal(swapped["phone"], "+4930123456");
  assert.deepEqual((swapped["phone_list"] as Body[])[0], { type: "Main", ...berlin });
  const { phone_list } = swapped;
  const copied = await create("/crm/leads", { phone_list });
  assert.deepEqual(copied["phone_list"], phone_list);
});

test("a file that was exported comes back with the same lists", async () => {
  const other = await api.tenant();
  const body = {
    ...NAME,
    external_id: "exported",
    email_list: ["a@export.example", { type: "Work", email: "b@export.example", note: "n" }],
    phone_list: [{ type: "Berlin", phone: "+49 30 123456" }, "+800 1234 5678"],
  };
  const made = ok(await acme.post("/crm/contacts", body)).body as Body;
  for (const format of ["ndjson", "csv"]) {
    const text = ok(
      await acme.get("/crm/contacts/export", {
        format,
        match_filter_dict: { email_list: "b@export.example" },
      }),
    ).text;
    await importFile(other, "contact", text, { format });
    const back = ok(await other.put("/crm/contacts/by/external_id/exported", {})).body as Body;
    for (const name of ["email", "phone", "email_list", "phone_list"]) {
      assert.deepEqual(back[name], made[name], `${format} ${name}`);
    }
  }
});

test("a partner finds a person by any entry, and a contact of any entry is attributed", async () => {
  const partner = await partnerOf(acme);
  await create("/crm/contacts", {
    email: "main@partner.example",
    email_list: [{ type: "Work", email: "work@partner.example" }],
  });
  const found = ok(await partner.post("/crm/partner/lookup", { email: "WORK@partner.example" }));
  assert.equal(found.body.exists, true);
  const { id } = await partner.push({ email: "brought@partner.example" });
  await importPushed(acme, id);
  const brought = await create("/crm/contacts", {
    email_list: ["first@partner.example", "Brought@partner.example"],
  });
  assert.equal(brought["partner_id"], partner.partner_id);
});
