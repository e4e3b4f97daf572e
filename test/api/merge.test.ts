/** Records that are the same become one, and two again: fields, references, old ids, undoing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TYPES, recordTypes } from "../../src/records/index.ts";
import { fileApi } from "./file-api.ts";
import { fullBody, makeReferable, ok, type Body } from "./samples.ts";

const api = await fileApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
const MERGEABLE = recordTypes.filter(({ sameBy }) => sameBy !== undefined);

const create = async (path: string, body: Body) => ok(await acme.post(path, body)).body;
const read = async (path: string, id: unknown) => ok(await acme.get(`${path}/${String(id)}`)).body;

const STAMPS = ["version", "updated_ts", "updated_date"];
const unstamped = (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !STAMPS.includes(name)));

for (const type of MERGEABLE) {
  const path = type.writePath;
  test(`a merged ${type.name} fills what is empty, is found by its old id, and comes back whole`, async () => {
    const survivor = await create(path, { name: "Ada Example" });
    const full = await create(path, fullBody(type, 4, refs));
    const answer = await acme.post(`${path}/${survivor._id}/merge`, { ids: [full._id] });
    const merged = ok(answer).body;
    const kept = ["name", "first_name", "last_name", "status", "source", "relationship_type"];
    for (const name of Object.keys(type.fields)) {
      assert.deepEqual(merged[name], (kept.includes(name) ? survivor : full)[name], name);
    }
    assert.deepEqual([merged._id, merged.version], [survivor._id, 2]);
    assert.equal(answer.headers.get("etag"), '"v2"');
    const old = await acme.get(`${path}/${full._id}`);
    assert.equal(old.text, answer.text);
    assert.equal(old.headers.get("etag"), `"${survivor._id}-v2"`);
    const mergeId = answer.headers.get("x-merge-id");
    const undone = ok(await acme.post(`${path}/${survivor._id}/merges/${mergeId}/undo`)).body;
    assert.deepEqual(unstamped(undone), unstamped(survivor));
    const restored = await read(path, full._id);
    assert.deepEqual(unstamped(restored), unstamped(full));
    assert.deepEqual([undone.version, restored.version], [3, 2]);
  });
}
void RECORD_TYPES;
