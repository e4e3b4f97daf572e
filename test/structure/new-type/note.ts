/** A text about an account. */

import { choice, reference, tags, text, type TypeDefinition } from "./define.ts";

export const note = {
  name: "note",
  schemaName: "Note",
  idName: "note_id",
  table: "notes",
  writePath: "/crm/notes",
  readPaths: ["/crm/notes"],
  description: "A text about an account.",
  fields: {
    name: text(500, { required: true }),
    content: text(20_000),
    status: choice(["open", "done"], { fallback: "open" }),
    account_id: reference("account"),
    tags: tags(),
    external_id: text(200),
  },
  aliases: {},
  statusField: "status",
  derived: { account_name: { kind: "name_of", reference: "account_id" } },
  timestamp: false,
  isDeletable: true,
  lists: {
    all: {
      path: "/crm/notes",
      on: "created_ts",
      filter: ["name", "status", "account_id", "tags"],
    },
  },
} as const satisfies TypeDefinition;
