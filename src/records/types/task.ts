/** A task, which may be linked to a record. */

import { choice, epoch, flag, free, tags, text, whole, type TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";

const COMPLETED = "When the task was completed, in epoch seconds; null while it is open.";

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
    name: text("The title of the task.", 500, { required: true }),
    description: text("A description.", 10_000),
    status: choice(
      "The status.",
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
    priority: whole("The priority, from 1 to 4.", { min: 1, max: 4, fallback: 3 }),
    due_date: epoch("When the task is due, in epoch seconds."),
    subject_type: text("The type of the record that the task is about.", 100),
    subject: text("The id of the record that the task is about.", 100),
    userid: text("The id of the user the task is assigned to.", 100),
    action: text("The kind of task, such as `call`.", 50, { fallback: "general" }),
    action_data: free("Data for the action: an object or a string."),
    tags: tags(),
    is_completed: flag("Whether `status` is `completed`."),
    completed_date: epoch(COMPLETED),
    external_id: text("The record's id in another system. Unique per record type.", 200),
  },
  aliases: {},
  statusField: "status",
  derived: {
    is_completed: { kind: "mirror", field: "status", value: "completed" },
    completed_date: {
      kind: "moment",
      field: "status",
      values: ["completed"],
      description: COMPLETED,
    },
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
