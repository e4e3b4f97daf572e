/** Rules for every record type, each derived from the type's description. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { RecordType } from "../../../src/records/types/record-types.ts";
import { frozenNames } from "../../../src/records/schemas/schemas.ts";
import { sharedApi } from "../../kit/file-api.ts";
import {
  fullBody,
  makeReferable,
  ok,
  recordsIn,
  sampleOf,
  type Body,
  type Referable,
} from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const rival = await api.tenant();
const refs = await makeReferable(acme);
/** Timestamps in the past, so that the tests notice when the service sets a new timestamp. */
const LONG_AGO = {
  created_ts: 1_600_000_000,
  updated_ts: 1_600_000_000,
  status_update_date: 1_600_000_000,
};

let seeds = 0;
async function makeFull(type: RecordType, given: Body = {}): Promise<{ sent: Body; made: Body }> {
  const sent = { ...fullBody(type, ++seeds, refs), ...given };
  return { sent, made: ok(await acme.post(type.writePath, sent)).body };
}

const pathOf = (type: RecordType, { _id }: Body): string => `${type.writePath}/${String(_id)}`;

/** Returns a value as it appears in responses, where secrets are masked. */
const shown = (type: RecordType, name: string, value: unknown): unknown =>
  type.fields[name]?.kind === "ssn" ? `***-**-${String(value).slice(-4)}` : value;

/** Returns a sample value that differs from the current value. For a reference, this is a different record. */
async function otherValue(type: RecordType, name: string): Promise<unknown> {
  const field = type.fields[name];
  if (field === undefined) throw new Error(`${type.name} has no ${name}`);
  const others: Referable = field.kind === "reference" ? await makeReferable(acme) : refs;
  return sampleOf(name, field, ++seeds, others);
}

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a created ${type.name} is in every list of its tenant and in no other`, async () => {
    const { made } = await makeFull(type);
    for (const { path } of Object.values(type.lists)) {
      const found = recordsIn(await acme.get(path)).filter(({ _id }) => _id === made["_id"]);
      assert.deepEqual(found, [made], path);
      assert.deepEqual(recordsIn(ok(await rival.get(path))), [], path);
    }
  });

  test(`the values that are sent for a ${type.name} are read back`, async () => {
    const { sent, made } = await makeFull(type);
    const expected = Object.entries(sent).map(([name, value]) => [name, shown(type, name, value)]);
    assert.deepEqual(
      Object.fromEntries(expected.map(([name]) => [name, made[name as string]])),
      Object.fromEntries(expected),
    );
    for (const path of type.readPaths) {
      assert.deepEqual(ok(await acme.get(`${path}/${String(made["_id"])}`)).body, made);
    }
  });

  test(`a ${type.name} that was read can be sent back, and nothing is written`, async () => {
    const { made } = await makeFull(type);
    assert.deepEqual(ok(await acme.patch(pathOf(type, made), made)).body, made);
    const history = ok(await acme.get(`${type.readPaths[0]}/${String(made["_id"])}/history`));
    assert.equal(history.body.length, 1);
  });

  test(`null writes nothing to a field of a ${type.name} that is empty or has its default value`, async () => {
    const { made } = await makeFull(type);
    const frozen = frozenNames(type, "patch");
    for (const [name, { required }] of Object.entries(type.fields)) {
      if (required === true || frozen.includes(name)) continue;
      const cleared = await acme.patch(pathOf(type, made), { [name]: null });
      // A null that means "not given" leaves nothing to change.
      if (cleared.status === 400) continue;
      const again = await acme.patch(pathOf(type, made), { [name]: null });
      assert.deepEqual(again.body, ok(cleared).body, name);
    }
  });

  test(`a ${type.name} that was read can be sent as a new one`, async () => {
    const { sent, made } = await makeFull(type);
    const unique = {
      external_id: `copy ${seeds}`,
      ...("invoice_num" in sent && { invoice_num: `copy ${seeds}` }),
    };
    const secret = "ssn" in sent ? { ssn: sent["ssn"] } : {};
    const copy = ok(await acme.post(type.writePath, { ...made, ...unique, ...secret }))
      .body as Body;
    assert.notEqual(copy["_id"], made["_id"]);
    for (const name of Object.keys(type.fields)) {
      if (!(name in unique)) assert.deepEqual(copy[name], made[name], name);
    }
  });

  test(`in a new ${type.name} the members that other operations set are empty`, async () => {
    const elsewhere = Object.entries(type.derived).filter(
      ([, { kind }]) => kind === "set_elsewhere",
    );
    const claimed = Object.fromEntries(elsewhere.map(([name]) => [name, "0".repeat(24)]));
    const sent = {
      ...fullBody(type, ++seeds, refs),
      ...claimed,
      version: 9,
      created_ts: 1,
      _id: "x",
    };
    const made = ok(await acme.post(type.writePath, sent)).body as Body;
    for (const [name, derived] of elsewhere) {
      assert.equal(made[name], derived.kind === "set_elsewhere" ? derived.empty : undefined, name);
    }
    assert.equal(made["version"], 1);
    assert.notEqual(made["created_ts"], 1);
  });

  const changeable = Object.keys(type.fields).filter((name) => !type.frozen?.includes(name));
  for (const name of changeable) {
    // These timestamps exist only while another field has a certain value, like a task's completion date.
    if (type.derived[name]?.kind === "moment") continue;
    test(`PATCH changes ${name} of a ${type.name} and only what follows from it`, async () => {
      const condition = type.onlyWhile?.[name];
      const { made } = await makeFull(type, condition && { [condition.field]: condition.is });
      await api.restamp(type.table, String(made["_id"]), LONG_AGO);
      const before = ok(await acme.get(`${type.readPaths[0]}/${String(made["_id"])}`)).body as Body;
      const mirrors = type.derived[name]?.kind === "mirror";
      const value = mirrors ? !(before[name] as boolean) : await otherValue(type, name);
      const after = ok(await acme.patch(pathOf(type, made), { [name]: value })).body as Body;
      assert.deepEqual(after[name], shown(type, name, value));
      assert.equal(after["version"], 2);
      assert.ok((after["updated_ts"] as number) > LONG_AGO.updated_ts);
      const statusMoved = after[type.statusField] !== before[type.statusField];
      assert.equal(after["status_update_date"] !== LONG_AGO.status_update_date, statusMoved);
      assert.equal(statusMoved, name === type.statusField || mirrors);
      for (const other of Object.keys(type.fields)) {
        const follows =
          other in type.derived ||
          other in (type.follows ?? {}) ||
          type.onlyWhile?.[other]?.field === name ||
          // Changing a list can also change the record's `email` or `phone`, because they equal the list's Main entry.
          (type.fields[name]?.kind === "entries" && name === `${other}_list`);
        if (other === name || follows || (mirrors && other === type.statusField)) continue;
        assert.deepEqual(after[other], before[other], other);
      }
      assert.deepEqual(after["created_ts"], LONG_AGO.created_ts);
    });
  }

  for (const name of frozenNames(type, "patch")) {
    test(`${name} of a ${type.name} cannot be changed, only sent back`, async () => {
      const { made } = await makeFull(type);
      const refused = await acme.patch(pathOf(type, made), {
        [name]: await otherValue(type, name),
      });
      assert.equal(refused.status, 422, refused.text);
      assert.deepEqual(refused.body.detail[0].loc, ["body", name]);
      assert.equal(refused.body.detail[0].type, "frozen_field");
      const [patchable = ""] = changeable;
      const sent = { [name]: made[name], [patchable]: await otherValue(type, patchable) };
      assert.equal(ok(await acme.patch(pathOf(type, made), sent)).body.version, 2);
    });
  }

  test(`a name that a ${type.name} does not have is rejected, including "constructor"`, async () => {
    const { made } = await makeFull(type);
    for (const name of ["constructor", "__proto__", "toString", "nonsense"]) {
      const body = `{${JSON.stringify(name)}: {"x": 1}}`;
      const headers = { "content-type": "application/json" };
      const answer = await acme.request({
        method: "PATCH",
        path: pathOf(type, made),
        headers,
        body,
      });
      assert.equal(answer.status, 422, name);
      assert.deepEqual(answer.body.detail[0].loc, ["body", name]);
      assert.equal(answer.body.detail[0].type, "extra_forbidden");
    }
  });
}
