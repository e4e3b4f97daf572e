/** A time window includes records that reappeared within it because a merge was undone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isoSeconds } from "../../../src/platform/clock/clock.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { startApi } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../samples.ts";
import { walk } from "./sorting.ts";

const api = await sharedApi();

const WINDOWS = Object.values(BUILT_IN_TYPES)
  .filter(({ sameBy }) => sameBy !== undefined)
  .flatMap(({ lists, ...type }) => Object.values(lists).map((list) => ({ ...list, type })))
  .filter(({ windowHours }) => windowHours !== undefined);

const namesOf = (records: readonly Body[]) => records.map(({ name }) => name);

for (const { path, type } of WINDOWS) {
  test(`GET ${path} includes records that were restored in its time, in every form`, async () => {
    const acme = await api.tenant();
    const create = async (name: string) => ok(await acme.post(type.writePath, { name })).body;
    const into = await create("Into");
    const ids = [(await create("One"))._id, (await create("Two"))._id];
    // Move the records' timestamps to long before the time window.
    await api.sql`
      update ${api.sql(type.table)}
         set body = regexp_replace(body::text, '"(created_ts|status_update_date)":\\d+', '"\\1":1000000000', 'g')::json
       where id = any(${ids})`;
    const record = `${type.writePath}/${into._id}`;
    const merged = ok(await acme.post(`${record}/merge`, { ids }));
    await create("Fresh");
    const now_s = Math.floor(Date.now() / 1000);
    const dates = { start_date: isoSeconds(now_s - 600), end_date: isoSeconds(now_s + 600) };
    const read = async (query: Record<string, string>) =>
      recordsIn(ok(await acme.get(path, { ...dates, ...query })));
    assert.deepEqual(namesOf(await read({})), ["Fresh", "Into"]);

    ok(await acme.post(`${record}/merges/${merged.headers.get("x-merge-id")}/undo`));
    const whole = await read({});
    assert.deepEqual(namesOf(whole), ["Fresh", "Into", "Two", "One"]);
    assert.deepEqual(await walk(acme, path, { ...dates, page_size: 1 }), whole);
    const filter = JSON.stringify({ name: { $in: ["One", "Fresh"] } });
    assert.deepEqual(namesOf(await read({ match_filter_dict: filter })), ["Fresh", "One"]);
    const paged = `${path}?${new URLSearchParams({ ...dates, page_size: "1" }).toString()}`;
    const headers = { prefer: "count=exact" };
    const counted = ok(await acme.request({ method: "GET", path: paged, headers }));
    assert.equal(counted.headers.get("x-total-count"), "4");
    const earlier = { start_date: isoSeconds(now_s - 900), end_date: isoSeconds(now_s - 600) };
    assert.deepEqual(await read(earlier), []);
  });
}

test("undoing a merge uses the database's clock, even if the service's clock is behind", async (t) => {
  const clock = { now_ms: () => Date.now() - 3_600_000 };
  const slow = await startApi(t, { clock });
  const acme = await slow.tenant();
  const create = async (name: string) => ok(await acme.post("/crm/leads", { name })).body;
  const into = await create("Into");
  const one = await create("One");
  const record = `/crm/leads/${into._id}`;
  const merged = ok(await acme.post(`${record}/merge`, { ids: [one._id] }));
  const merge = `${record}/merges/${merged.headers.get("x-merge-id")}`;
  ok(await acme.post(`${merge}/undo`));
  const [row] = await slow.sql`
    select abs(undone_ts - extract(epoch from now())) < 600 as is_now from merges`;
  assert.equal(row?.["is_now"], true);
});
