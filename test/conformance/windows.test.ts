/** Dates and time windows of every list that has them: docs/lists.md#time-windows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORDS, type TypeCase, type WindowCase } from "./cases.ts";
import { assertBlames, create, idsOf, iso, now, recordOf, rowsOf } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Creates one record per timestamp, in the given order. */
async function stamped(acme: Acme, type: TypeCase, on: WindowCase["on"], stamps: number[]) {
  const shared = type.needsAccount
    ? { account_id: recordOf(await acme.post("/crm/accounts", { name: "Payer" }))["_id"] }
    : {};
  for (const stamp of stamps) {
    const { _id } = await create(acme, type, shared);
    await api.restamp(type.table, _id, { [on]: stamp });
  }
}
type Acme = Awaited<ReturnType<typeof api.tenant>>;

for (const type of RECORDS) {
  for (const { path, on, hours } of type.windows) {
    const length = hours * HOUR;
    /** Returns the timestamps that a query returns, oldest first. */
    const stampsIn = async (acme: Acme, query: Record<string, unknown>) =>
      rowsOf(await acme.get(path, query))
        .map((row) => row[on])
        .toSorted((a, b) => a - b);

    // docs/lists.md#time-windows
    test(`GET ${path} returns a bare array of records by ${on}, newest first`, async () => {
      const acme = await api.tenant();
      const t = now();
      await stamped(acme, type, on, [t - 300, t - 100, t - 200, t - 200]);
      const rows = rowsOf(await acme.get(path));
      assert.deepEqual(
        rows.map((row) => row[on]),
        [t - 100, t - 200, t - 200, t - 300],
      );
      assert.ok(rows[1]!["_id"] > rows[2]!["_id"]);
      for (const name of type.returns) assert.ok(name in rows[0]!, name);
      if (on === "created_ts" && type.returns.includes("timestamp")) {
        assert.deepEqual(
          rows.map((row) => row["timestamp"]),
          rows.map((row) => row[on]),
        );
      }
    });

    // docs/lists.md#time-windows
    test(`the default window of GET ${path} is ${hours} h and ends now`, async () => {
      const acme = await api.tenant();
      const t = now();
      await stamped(acme, type, on, [t - length - 60, t - length + 60, t - 5, t + 600]);
      assert.deepEqual(await stampsIn(acme, {}), [t - length + 60, t - 5]);
    });

    // docs/lists.md#time-windows
    test(`start_date alone of GET ${path} runs to now, end_date alone starts with the default window`, async () => {
      const acme = await api.tenant();
      const t = now();
      const stamps = [t - 3 * DAY, t - length - 60, t - length + 60, t - 900, t - 5, t + 600];
      await stamped(acme, type, on, stamps);
      const from = await stampsIn(acme, { start_date: iso(t - 2 * DAY) });
      assert.deepEqual(from, stamps.slice(1, 5));
      const upTo = await stampsIn(acme, { end_date: iso(t - 900) });
      assert.deepEqual(upTo, [t - length + 60, t - 900]);
      const both = { start_date: iso(t - 3 * DAY), end_date: iso(t + 600) };
      assert.deepEqual(await stampsIn(acme, both), stamps);
    });

    // docs/lists.md#dates
    test(`dates of GET ${path} are inclusive, days are midnights, fractions are cut off`, async () => {
      const acme = await api.tenant();
      const midnight = 1_700_006_400;
      const stamps = [midnight - 1, midnight, midnight + 1, midnight + DAY, midnight + DAY + 1];
      await stamped(acme, type, on, stamps);
      const days = { start_date: "2023-11-15", end_date: "2023-11-16" };
      assert.deepEqual(await stampsIn(acme, days), stamps.slice(1, 4));
      const same = iso(midnight + 1);
      assert.deepEqual(await stampsIn(acme, { start_date: same, end_date: same }), [midnight + 1]);
      const cut = same.replace("Z", ".999Z");
      assert.deepEqual(await stampsIn(acme, { start_date: cut, end_date: cut }), [midnight + 1]);
      const day = { start_date: "2023-11-15", end_date: "2023-11-15" };
      assert.deepEqual(await stampsIn(acme, day), [midnight]);
    });

    // docs/lists.md#time-windows
    test(`a future start or an old end alone of GET ${path} returns an empty list`, async () => {
      const acme = await api.tenant();
      const t = now();
      await stamped(acme, type, on, [t - 60 * DAY, t - 5, t + 2 * HOUR]);
      assert.deepEqual(await stampsIn(acme, { start_date: iso(t + HOUR) }), []);
      assert.deepEqual(await stampsIn(acme, { end_date: iso(t - 50 * DAY) }), []);
    });
  }
}

for (const type of RECORDS) {
  // docs/lists.md#dates
  test(`dates of GET ${type.list} apply to creation, each is optional`, async () => {
    const acme = await api.tenant();
    const t = 1_700_006_400;
    await stamped(acme, type, "created_ts", [t - DAY, t, t + 1, t + DAY]);
    const seen = async (query: Record<string, unknown>) =>
      rowsOf(await acme.get(type.list, query))
        .map(({ created_ts }) => created_ts)
        .filter((stamp) => stamp < 1_750_000_000)
        .toSorted((a, b) => a - b);
    assert.deepEqual(await seen({}), [t - DAY, t, t + 1, t + DAY]);
    assert.deepEqual(await seen({ start_date: iso(t) }), [t, t + 1, t + DAY]);
    assert.deepEqual(await seen({ end_date: iso(t) }), [t - DAY, t]);
    assert.deepEqual(await seen({ start_date: iso(t), end_date: iso(t + 1) }), [t, t + 1]);
    assert.deepEqual(await seen({ start_date: "2023-11-15", end_date: "2023-11-15" }), [t]);
    const future = iso(now() + HOUR);
    assert.deepEqual(idsOf(await acme.get(type.list, { start_date: future })), []);
  });
}

const PATHS = RECORDS.flatMap((type) => [type.list, ...type.windows.map(({ path }) => path)]);

// docs/lists.md#dates
test("a date in another format returns 422 on every list", async () => {
  const acme = await api.tenant();
  const wrong = [
    "yesterday",
    "1700000000",
    "2023-11-15T00:00:00",
    "2023-11-15T00:00:00+00:00",
    "2023-11-15 00:00:00Z",
    "2023-11-15T00:00Z",
    "2023-1-5",
    "2023-02-30",
    "2023-13-01",
    "2023-11-15T24:30:00Z",
    "20231115",
  ];
  for (const path of PATHS) {
    for (const name of ["start_date", "end_date"]) {
      const given = path === "/crm/leads/created" || path === "/crm/deals" ? wrong : [wrong[0]];
      for (const value of given) {
        assertBlames(await acme.get(path, { [name]: value }), "query", name);
      }
    }
  }
});

// docs/lists.md#dates
test("a start after the end returns 422 on every list", async () => {
  const acme = await api.tenant();
  const query = { start_date: "2023-11-16", end_date: "2023-11-15" };
  for (const path of PATHS) assertBlames(await acme.get(path, query), "query");
});

// docs/lists.md#dates
test("the format of toISOString() is a valid date", async () => {
  const acme = await api.tenant();
  const query = { start_date: new Date(Date.now() - 1000).toISOString() };
  for (const path of PATHS) assert.deepEqual(idsOf(await acme.get(path, query)), []);
});
