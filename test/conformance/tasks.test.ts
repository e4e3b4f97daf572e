/** Tasks, field by field: docs/records.md#task. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOBODY, account, contact, deal, invoice, lead, order, task } from "./cases.ts";
import {
  assertBlames,
  assertEnum,
  assertInvalid,
  assertLongest,
  assertRefused,
  change,
  create,
  idsOf,
  now,
  read,
  recordOf,
  rowsOf,
} from "./checks.ts";
import { TASK_STATUSES } from "./enums.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();

const FIELDS = {
  description: "Ask about the looms",
  status: "unassigned",
  priority: 1,
  due_date: 1_900_000_000,
  subject_type: "ticket",
  subject: "T-42",
  action: "call",
  action_data: { script: "friendly", steps: [1, 2] },
  tags: ["vip"],
};

// docs/lists.md
test("GET /crm/tasks returns an envelope of tasks, with filter, sort and pages", async () => {
  const acme = await api.tenant();
  const made = [];
  for (const name of ["b", "a", "c"]) made.unshift(await create(acme, task, { name }));
  const all = recordOf(await acme.get("/crm/tasks"));
  assert.deepEqual(all, { tasks: made, page_size: 50, page_num: 1 });
  const sorted = { sort_dict: { name: 1 }, page_size: 2, page_num: 2 };
  const page = recordOf(await acme.get("/crm/tasks", sorted));
  assert.deepEqual([page["page_size"], page["page_num"]], [2, 2]);
  assert.deepEqual(
    page["tasks"].map(({ name }: { name: string }) => name),
    ["c"],
  );
  const found = rowsOf(await acme.get("/crm/tasks", { match_filter_dict: { name: "a" } }));
  assert.deepEqual(found, [made[1]]);
});

// docs/records.md#task
test("POST /crm/tasks returns the task with the fields that were sent", async () => {
  const acme = await api.tenant();
  const made = recordOf(await acme.post("/crm/tasks", { name: "Call back", ...FIELDS }));
  for (const [field, value] of Object.entries(FIELDS)) assert.deepEqual(made[field], value, field);
  assert.deepEqual(await read(acme, task, made["_id"]), made);
});

// docs/records.md#task
test("a task needs only a name; status, priority, action and assignee have defaults", async () => {
  const acme = await api.tenant();
  const made = await create(acme, task);
  for (const name of task.returns) assert.ok(name in made, `${name} is missing`);
  const told = [made["status"], made["priority"], made["action"], made["is_completed"]];
  assert.deepEqual(told, ["assigned", 3, "general", false]);
  assert.equal(made["userid"], made["created_by_userid"]);
  assert.deepEqual(made["tags"], []);
  for (const field of ["description", "due_date", "subject_type", "subject", "completed_date"]) {
    assert.equal(made[field], null, field);
  }
  assertInvalid(await acme.post("/crm/tasks", {}), { type: "missing", loc: ["body", "name"] });
});

// docs/records.md#task
test("the status of a task takes its 7 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), task, "status", TASK_STATUSES));

// docs/records.md#task
test("in-progress and 'in progress' are accepted as in_progress", async () => {
  const acme = await api.tenant();
  const ids: string[] = [];
  for (const status of ["in-progress", "in progress", "in_progress"]) {
    const made = await create(acme, task, { status });
    assert.equal(made["status"], "in_progress");
    ids.unshift(made["_id"]);
  }
  for (const status of ["in-progress", "in progress", "in_progress", { $in: ["in-progress"] }]) {
    assert.deepEqual(idsOf(await acme.get("/crm/tasks", { match_filter_dict: { status } })), ids);
  }
});

// docs/records.md#task
test("priority is a whole number from 1 to 4", async () => {
  const acme = await api.tenant();
  for (const priority of [1, 2, 3, 4]) {
    assert.equal((await create(acme, task, { priority }))["priority"], priority);
  }
  for (const priority of [0, 5, 2.5, "1", true]) {
    const reply = await acme.post("/crm/tasks", { name: "Call", priority });
    assertBlames(reply, "body", "priority");
  }
});

// docs/records.md#task
test("texts of a task have their maximum length", async () => {
  const acme = await api.tenant();
  const limits = { name: 500, description: 10_000, subject_type: 100, subject: 100, action: 50 };
  for (const [field, max] of Object.entries(limits)) await assertLongest(acme, task, field, max);
});

// docs/records.md#actions
test("the common actions are accepted, and action_data is an object or a text", async () => {
  const acme = await api.tenant();
  const known =
    "call email text postcard support-request work-order attend-meeting renewal-reminder";
  for (const action of known.split(" ")) {
    assert.equal((await create(acme, task, { action }))["action"], action);
  }
  for (const action_data of ["a note", { any: { thing: [1, "x", null] } }]) {
    assert.deepEqual((await create(acme, task, { action_data }))["action_data"], action_data);
  }
  for (const action_data of [5, true, ["a"]]) {
    const reply = await acme.post("/crm/tasks", { name: "Call", action_data });
    assertBlames(reply, "body", "action_data");
  }
});

// docs/records.md#subjects
test("a subject of a record type must exist in the tenant, other subjects are stored", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const ours = { lead, contact, account, opportunity: deal, invoice, order };
  for (const [subject_type, type] of Object.entries(ours)) {
    const { _id: subject } = await create(acme, type);
    assert.equal((await create(acme, task, { subject_type, subject }))["subject"], subject);
    const foreign = (await create(rival, type))["_id"];
    for (const wrong of [foreign, NOBODY, "x"]) {
      const body = { name: "Call", subject_type, subject: wrong };
      assertBlames(await acme.post("/crm/tasks", body), "body", "subject");
    }
  }
  const made = await create(acme, task, { subject_type: "ticket", subject: NOBODY });
  assert.equal(made["subject"], NOBODY);
});

// docs/records.md#completion
test("is_completed and the status completed imply each other", async () => {
  const acme = await api.tenant();
  for (const fields of [{ is_completed: true }, { status: "completed" }]) {
    const made = await create(acme, task, fields);
    assert.deepEqual([made["is_completed"], made["status"]], [true, "completed"]);
    assert.ok(Math.abs(made["completed_date"] - now()) < 60);
    const { _id } = await create(acme, task);
    const done = await change(acme, task, _id, fields);
    assert.deepEqual([done["is_completed"], done["status"]], [true, "completed"]);
    const open = await change(acme, task, _id, { status: "assigned" });
    assert.deepEqual([open["is_completed"], open["completed_date"]], [false, null]);
  }
  for (const fields of [
    { is_completed: true, status: "assigned" },
    { is_completed: false, status: "completed" },
  ]) {
    assertBlames(await acme.post("/crm/tasks", { name: "Call", ...fields }), "body");
  }
});

// docs/records.md#completion
test("completed_date is stored if it is sent", async () => {
  const acme = await api.tenant();
  const sent = { is_completed: true, completed_date: 1_700_000_000 };
  assert.equal((await create(acme, task, sent))["completed_date"], 1_700_000_000);
  const { _id } = await create(acme, task);
  assert.equal((await change(acme, task, _id, sent))["completed_date"], 1_700_000_000);
});

// docs/requests.md#null-and-empty-values
test("a completion date changes nothing if it is null already, or if the task is not completed", async () => {
  const acme = await api.tenant();
  const done = await create(acme, task, { is_completed: true });
  assert.deepEqual(await change(acme, task, done["_id"], { completed_date: null }), done);
  const open = await create(acme, task);
  assert.deepEqual(await change(acme, task, open["_id"], { completed_date: 1_700_000_000 }), open);
  const sent = { is_completed: true, completed_date: 1_700_000_000 };
  const { _id } = await create(acme, task, sent);
  const reset = await change(acme, task, _id, { completed_date: null });
  assert.ok(Math.abs(reset["completed_date"] - now()) < 60);
  assert.deepEqual(await change(acme, task, _id, { completed_date: null }), reset);
});

// docs/records.md#assignees
test("null assigns a task to the user who created it, not to the caller", async () => {
  const acme = await api.tenant();
  const token = { name: "T", owner: "Grace Example", permissions: ["records:write"] };
  const grace = recordOf(await acme.post("/crm/admin/access_tokens", token));
  const made = recordOf(
    await acme.request({
      method: "POST",
      path: "/crm/tasks",
      headers: { authorization: `Bearer ${grace["token"]}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Call back" }),
    }),
  );
  assert.equal(made["userid"], grace["userid"]);
  assert.deepEqual(await change(acme, task, made["_id"], { userid: null }), made);
  const moved = await change(acme, task, made["_id"], { userid: acme.personId });
  assert.equal(moved["userid"], acme.personId);
  const back = await change(acme, task, made["_id"], { userid: null });
  assert.deepEqual([back["userid"], back["user_name"]], [grace["userid"], "Grace Example"]);
  assert.deepEqual(await change(acme, task, made["_id"], { userid: null }), back);
});

// docs/requests.md#null-and-empty-values
test("PATCH /crm/tasks/{task_id} returns the changed task, and 400 without fields", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, task);
  for (const [field, value] of Object.entries({ name: "Other", ...FIELDS })) {
    if (field === "subject_type" || field === "subject") continue;
    assert.deepEqual((await change(acme, task, _id, { [field]: value }))[field], value);
  }
  assertRefused(await acme.patch(`/crm/tasks/${_id}`, {}), 400);
});

// docs/records.md#deletion
test("DELETE /crm/tasks/{task_id} deletes the task, and no other type can be deleted", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, task);
  const kept = await create(acme, task);
  const reply = await acme.delete(`/crm/tasks/${_id}`);
  assert.deepEqual(recordOf(reply), { deleted: true, ids: [_id] });
  assert.deepEqual(idsOf(await acme.get("/crm/tasks")), [kept["_id"]]);
  assertRefused(await acme.get(`/crm/tasks/${_id}`), 404);
  assertRefused(await acme.delete(`/crm/tasks/${_id}`), 404);
  const person = await create(acme, lead);
  assertRefused(await acme.delete(`/crm/leads/${person["_id"]}`), 405);
});

// docs/filters.md#filterable-fields
test("tasks are filtered by their ten fields", async () => {
  const acme = await api.tenant();
  await create(acme, task, { priority: 4, name: "Other", action: "text" });
  const made = await create(acme, task, FIELDS);
  for (const [field, value] of Object.entries({
    status: "unassigned",
    priority: { $lte: 2 },
    due_date: { $gte: 1_900_000_000 },
    subject_type: "ticket",
    subject: "T-42",
    action: "call",
    name: "Call back",
    tags: "vip",
  })) {
    const reply = await acme.get("/crm/tasks", { match_filter_dict: { [field]: value } });
    assert.deepEqual(idsOf(reply), [made["_id"]], field);
  }
  for (const filter of [{ userid: made["userid"] }, { is_completed: false }]) {
    assert.equal(idsOf(await acme.get("/crm/tasks", { match_filter_dict: filter })).length, 2);
  }
  for (const field of ["description", "completed_date", "created_ts", "action_data"]) {
    const reply = await acme.get("/crm/tasks", { match_filter_dict: { [field]: "x" } });
    assertBlames(reply, "query", "match_filter_dict");
  }
});
