/** A task, which may be linked to a record. */

import { choice, epoch, flag, free, tags, text, whole, type TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";

export const task = {
  name: "task",
  schemaName: "Task",
  idName: "task_id",
  table: "tasks",
  writePath: "/crm/tasks",
  readPaths: ["/crm/tasks"],
  envelope: "tasks",
  description: "A to-do item for a user, optionally linked to a record.",
  fields: {
    name: text(500, { required: true }),
    description: text(10_000),
    status: choice(
      [
        "unassigned",
        "assigned",
        "in_progress",
        "rejected",
        "reviewsubmit",
        "reviewpass",
        "completed",
      ],
      {
        fallback: "assigned",
        spellings: { "in-progress": "in_progress", "in progress": "in_progress" },
      },
    ),
    priority: whole({ min: 1, max: 4, fallback: 3 }),
    due_date: epoch(),
    subject_type: text(100),
    subject: text(100),
    userid: text(100),
    action: text(50, { fallback: "general" }),
    action_data: free(),
    tags: tags(),
    is_completed: flag(),
    completed_date: epoch(),
    external_id: text(200),
  },
  aliases: {},
  statusField: "status",
  derived: {
    is_completed: { kind: "mirror", field: "status", value: "completed" },
    completed_date: { kind: "moment", field: "status", values: ["completed"] },
  },
  subject: { type: "subject_type", id: "subject" },
  timestamp: false,
  isDeletable: true,
  mainFields: [
    "name",
    "due_date",
    "priority",
    "status",
    "subject_type",
    "userid",
    "description",
    "tags",
  ],
  icon: "checklist",
  imports: IMPORT_NAMES.task,
  lists: {
    all: {
      path: "/crm/tasks",
      on: "created_ts",
      filter: [
        "status",
        "priority",
        "due_date",
        "subject_type",
        "subject",
        "userid",
        "action",
        "is_completed",
        "name",
        "tags",
      ],
    },
  },
} as const satisfies TypeDefinition;
