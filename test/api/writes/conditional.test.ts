/** ETag, If-None-Match and If-Match (RFC 9110, section 13.1). */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { Answer } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { isReplay, newKey } from "../keys/keyed-samples.ts";
import { fullBody, LISTS, makeReferable, ok, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);

const etagOf = ({ headers }: Answer): string | null => headers.get("etag");

const read = (path: string, ifNoneMatch?: string, client = acme) =>
  client.request({
    method: "GET",
    path,
    ...(ifNoneMatch !== undefined && { headers: { "if-none-match": ifNoneMatch } }),
  });

const change = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  acme.request({
    method: "PATCH",
    path,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Returns the id of a lead at version 3. Version 2 added a profession, and version 3 added a title and tags. */
async function leadOfThree(): Promise<string> {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Ada" })).body;
  const path = `/crm/leads/${_id}`;
  ok(await acme.patch(path, { profession: "Poet" }));
  ok(await acme.patch(path, { title: "Dr", tags: ["new"] }));
  return path;
}

/** Asserts that a response has status 412, and returns its `changed_fields`. */
function stale(answer: Answer, version: number): unknown {
  assert.equal(answer.status, 412, answer.text);
  assert.equal(typeof answer.body.detail, "string");
  assert.equal(answer.body.version, version);
  assert.equal(etagOf(answer), `"v${version}"`);
  return answer.body.changed_fields;
}

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`every response that is a ${type.name} has its version as ETag, for every token`, async () => {
    const made = ok(await acme.post(type.writePath, fullBody(type, 1, refs)));
    assert.equal(etagOf(made), '"v1"');
    const reader = await acme.token(["records:read"]);
    for (const place of type.readPaths) {
      const path = `${place}/${made.body._id}`;
      assert.equal(etagOf(ok(await read(path))), '"v1"');
      const known = await read(path, '"v1"', reader);
      assert.deepEqual([known.status, known.text, etagOf(known)], [304, "", '"v1"']);
      assert.equal(known.headers.get("content-type"), null);
    }
    const path = `${type.writePath}/${made.body._id}`;
    const tagged = await change(path, { external_id: "another" }, { "if-match": '"v1"' });
    assert.equal(etagOf(ok(tagged)), '"v2"');
    const [readPath] = type.readPaths;
    assert.equal(ok(await read(`${readPath}/${made.body._id}`, '"v1"')).body.version, 2);
  });
}

test("a list, a history and a revealed record have no ETag", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Ada", ssn: "123-45-6789" })).body;
  const shown = [`/crm/leads/${_id}?reveal=ssn`, `/crm/leads/${_id}/history`];
  for (const path of [...shown, ...LISTS.map(({ listing }) => listing.path)]) {
    assert.equal(etagOf(ok(await read(path, "*"))), null, path);
  }
});

const READS: readonly (readonly [header: string, status: number])[] = [
  ['"v3"', 304],
  ['W/"v3"', 304],
  ['"v1", "v3"', 304],
  [' , "a,b" ,"v3",', 304],
  ["*", 304],
  ['"v2"', 200],
  ['"V3"', 200],
  ['"", "v30"', 200],
];

test("If-None-Match compares weakly, with each tag of a list", async () => {
  const path = await leadOfThree();
  const plain = ok(await read(path));
  for (const [header, status] of READS) {
    const answer = await read(path, header);
    assert.equal(answer.status, status, header);
    assert.equal(answer.text, status === 304 ? "" : plain.text, header);
    assert.equal(etagOf(answer), '"v3"');
  }
  assert.equal((await read(`/crm/leads/${"0".repeat(24)}`, "*")).status, 404);
});

const CHANGES: readonly (readonly [header: string, changed: readonly string[] | null | "done"])[] =
  [
    ['"v3"', "done"],
    ['"v1", "v3"', "done"],
    ["*", "done"],
    ['"v2"', ["tags", "title"]],
    ['"v1"', ["profession", "tags", "title"]],
    ['"v1", "v2"', ["profession", "tags", "title"]],
    ['W/"v3"', null],
    ['"v4"', null],
    ['"v0"', null],
    ['"another"', null],
  ];

for (const [header, changed] of CHANGES) {
  const what =
    changed === "done" ? "lets a change in" : `fails with 412 and ${JSON.stringify(changed)}`;
  test(`If-Match: ${header} on version 3 ${what}`, async () => {
    const path = await leadOfThree();
    const answer = await change(path, { comments: "Called" }, { "if-match": header });
    if (changed === "done") assert.equal(etagOf(ok(answer)), '"v4"');
    else {
      assert.deepEqual(stale(answer, 3), changed);
      assert.equal(ok(await read(path)).body.comments, null);
    }
  });
}

test("an outdated version is reported even if the change contains nothing new", async () => {
  const path = await leadOfThree();
  const same = { profession: "Poet" };
  assert.deepEqual(stale(await change(path, same, { "if-match": '"v2"' }), 3), ["tags", "title"]);
  assert.equal(ok(await change(path, same, { "if-match": '"v3"' })).body.version, 3);
});

test("a conversion is reported like any other change, and one that is not retained as unknown", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Ada" })).body;
  const path = `/crm/leads/${_id}`;
  ok(await acme.post(`${path}/convert`, {}));
  const late = () => change(path, { title: "Dr" }, { "if-match": '"v1"' });
  assert.deepEqual(stale(await late(), 2), ["contact_id", "converted_to_contact"]);
  await api.sql`delete from changes where subject_id = ${_id} and version = 2`;
  assert.equal(stale(await late(), 2), null);
});

test("after a merge and its undo the changes are reported, because all of them are known", async () => {
  const into = await leadOfThree();
  const from = await leadOfThree();
  const answer = await acme.post(`${into}/merge`, { ids: [from.split("/").at(-1)] });
  ok(answer);
  ok(await acme.post(`${into}/merges/${answer.headers.get("x-merge-id")}/undo`));
  const late = { "if-match": '"v2"' };
  assert.deepEqual(stale(await change(into, { comments: "A" }, late), 5), ["tags", "title"]);
  assert.deepEqual(stale(await change(from, { comments: "B" }, late), 5), ["tags", "title"]);
});

test("a record counts as not modified by its long tag, too", async () => {
  const path = await leadOfThree();
  const id = path.split("/").at(-1) ?? "";
  const answer = await read(path, `"${id}-v3"`);
  assert.deepEqual([answer.status, etagOf(answer)], [304, `"${id}-v3"`]);
  assert.equal(etagOf(ok(await read(path, `"${id}-v2"`))), '"v3"');
});

test("a change that cannot be merged returns why", async () => {
  const [into, from] = await Promise.all(
    ["A", "B"].map(async (name) => ok(await acme.post("/crm/accounts", { name })).body._id),
  );
  const merge = async (id: string) => {
    const answer = await acme.post(`/crm/accounts/${into}/merge`, { ids: [id] });
    return answer.status === 422 ? answer.body.detail[0].msg : answer.status;
  };
  assert.equal(await merge(into), "Value error, an account cannot be merged into itself");
  assert.equal(await merge(from), 200);
  assert.equal(await merge(from), "Value error, this account is already merged into this one");
});

test("an empty change, an invalid one and a missing record are reported before the version", async () => {
  const path = await leadOfThree();
  const late = { "if-match": '"v1"' };
  const missing = `/crm/leads/${"0".repeat(24)}`;
  assert.equal((await change(path, {}, late)).status, 400);
  assert.equal((await change(path, { name: 5 }, late)).status, 422);
  assert.equal((await change(missing, { name: "Eve" }, late)).status, 404);
  assert.equal((await change(missing, { name: "Eve" }, { "if-match": "*" })).status, 404);
});

test("a header that is not a list of tags returns 422 together with all other errors", async () => {
  const path = await leadOfThree();
  for (const bad of ["v3", '"v3', '"v3" "v2"', "", ",", 'w/"v3"', '*, "v3"']) {
    const answers = [
      await read(`${path}?nothing=1`, bad),
      await change(path, { name: 5 }, { "if-match": bad }),
    ];
    const locs = answers.map(({ body }) =>
      body.detail.map(({ loc }: { loc: string[] }) => loc.join(".")),
    );
    assert.deepEqual(
      locs,
      [
        ["query.nothing", "header.If-None-Match"],
        ["header.If-Match", "body.name"],
      ],
      bad,
    );
  }
});

for (const keyed of [false, true]) {
  test(`of 10 editors of one version one writes${keyed ? ", each with a key" : ""}`, async () => {
    const path = await leadOfThree();
    const edit = (at: number) =>
      change(
        path,
        { comments: `Editor ${at}` },
        {
          "if-match": '"v3"',
          ...(keyed && { "idempotency-key": newKey() }),
        },
      );
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => edit(at)));
    const [done, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(done !== undefined && more.length === 0);
    for (const answer of answers) {
      if (answer !== done) assert.deepEqual(stale(answer, 4), ["comments"]);
    }
    assert.equal(ok(await read(path)).text, done.text);
  });
}

test("a change that succeeded is replayed by its key, although its version is outdated", async () => {
  const path = await leadOfThree();
  const headers = { "if-match": '"v3"', "idempotency-key": newKey() };
  const body: Body = { comments: "Once" };
  const first = ok(await change(path, body, headers));
  ok(await acme.patch(path, { comments: "Twice" }));
  const again = await change(path, body, headers);
  assert.ok(isReplay(again));
  assert.deepEqual([again.text, etagOf(again)], [first.text, '"v4"']);
});

const send = (method: string, path: string, headers: Record<string, string>, body: unknown = {}) =>
  acme.request({
    method,
    path,
    headers: { "content-type": "application/json", ...headers },
    ...(method !== "DELETE" && { body: JSON.stringify(body) }),
  });

test("a conversion, a merge and a deletion check the version, too", async () => {
  const other = ok(await acme.post("/crm/leads", { name: "Ada" })).body._id;
  const path = await leadOfThree();
  const { _id } = ok(await acme.post("/crm/tasks", { name: "Call" })).body;
  ok(await acme.patch(`/crm/tasks/${_id}`, { name: "Call now" }));
  const late = { "if-match": '"v1"' };
  const merge = { ids: [other] };
  const changed = ["profession", "tags", "title"];
  assert.deepEqual(stale(await send("POST", `${path}/convert`, late), 3), changed);
  assert.deepEqual(stale(await send("POST", `${path}/merge`, late, merge), 3), changed);
  assert.deepEqual(stale(await send("DELETE", `/crm/tasks/${_id}`, late), 2), ["name"]);
  ok(await send("POST", `${path}/merge`, { "if-match": '"v3"' }, merge));
  ok(await send("POST", `${path}/convert`, { "if-match": '"v4"' }));
  ok(await send("DELETE", `/crm/tasks/${_id}`, { "if-match": '"v2"' }));
});

test("a PUT by key changes the given version, or creates the record if it does not exist yet", async () => {
  const path = "/crm/leads/by/external_id/guarded";
  const put = (headers: Record<string, string>) => send("PUT", path, headers, { name: "Ada" });
  const none = await put({ "if-match": '"v1"' });
  assert.deepEqual([none.status, none.body.version], [412, null], none.text);
  const made = ok(await put({ "if-none-match": "*" }));
  assert.equal(made.headers.get("x-result"), "created");
  const again = await put({ "if-none-match": "*" });
  assert.equal(stale(again, 1), null);
  assert.equal(again.body.existing_id, made.body._id);
  ok(await acme.patch(`/crm/leads/${made.body._id}`, { title: "Dr" }));
  assert.deepEqual(stale(await put({ "if-match": '"v1"' }), 2), ["title"]);
  assert.equal(ok(await put({ "if-match": '"v2"' })).headers.get("x-result"), "unchanged");
  const tag = await put({ "if-none-match": '"v2"' });
  assert.deepEqual(tag.body.detail[0].loc, ["header", "If-None-Match"]);
});

test("of 10 concurrent creations by If-None-Match one succeeds", async () => {
  const path = "/crm/leads/by/external_id/once";
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send("PUT", path, { "if-none-match": "*" }, { name: "A" })),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 412)]);
});

test("a write that supports no such condition is rejected, so that it is not mistaken for guarded", async () => {
  const path = await leadOfThree();
  const writes: readonly (readonly [method: string, path: string, header: string])[] = [
    ["POST", "/crm/leads", "If-Match"],
    ["POST", "/crm/leads", "If-None-Match"],
    ["POST", "/crm/leads/batch", "If-None-Match"],
    ["PATCH", path, "If-None-Match"],
    ["POST", `${path}/convert`, "If-None-Match"],
    ["POST", `${path}/merges/${"0".repeat(24)}/undo`, "If-Match"],
    ["POST", "/crm/admin/pushed_leads/batch", "If-Match"],
    ["POST", "/crm/imports", "If-Match"],
  ];
  for (const [method, at, header] of writes) {
    const answer = await send(method, at, { [header]: "*" }, { name: "Ada" });
    assert.equal(answer.status, 422, `${method} ${at} ${answer.text}`);
    const fault = answer.body.detail.find(({ loc }: Body) => (loc as string[])[0] === "header");
    assert.deepEqual([fault?.loc[1], fault?.input], [header, "*"], `${method} ${at}`);
    assert.match(fault.msg, /this operation does not support this condition/);
  }
});
