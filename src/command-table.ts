/** The commands, in the order in which the help lists them. A command's code is loaded when the command is run. */

import type { CommandTable } from "./commands/index.ts";

export const COMMANDS: CommandTable = {
  start: {
    summary: "Run the database, the API and the background work together.",
    load: () => import("./commands/run/start.ts"),
  },
  serve: {
    summary: "Run only the API, with a migrated database. Can run several times.",
    load: () => import("./commands/run/serve.ts"),
  },
  worker: {
    summary: "Run only the background work. Can run several times.",
    load: () => import("./commands/run/worker.ts"),
  },
  migrate: {
    summary: "Migrate the database to the schema of this version.",
    load: () => import("./commands/migrate.ts"),
  },
  upgrade: {
    summary: "Check what an upgrade to this version would do.",
    load: () => import("./commands/upgrade.ts"),
  },
  doctor: {
    summary: "Check the installation and print how to fix problems.",
    load: () => import("./commands/doctor/doctor.ts"),
  },
  backup: {
    summary: "Take a backup of the installation.",
    load: () => import("./commands/backup/backup.ts"),
  },
  "backup verify": {
    summary: "Check that a backup can be restored.",
    load: () => import("./commands/backup/verify.ts"),
  },
  restore: {
    summary: "Restore an installation from a backup.",
    load: () => import("./commands/backup/restore.ts"),
  },
  import: {
    summary: "Import records from a CSV or NDJSON file.",
    load: () => import("./commands/files/import.ts"),
  },
  export: {
    summary: "Export the records of a type as CSV or NDJSON.",
    load: () => import("./commands/files/export.ts"),
  },
  "tenant create": {
    summary: "Create a tenant and print its owner's token.",
    load: () => import("./commands/tenants/create.ts"),
  },
  "tenant list": {
    summary: "List all tenants.",
    load: () => import("./commands/tenants/list.ts"),
  },
  "tenant quota": {
    summary: "Set the storage quota of a tenant and print its usage.",
    load: () => import("./commands/tenants/quota.ts"),
  },
  "tenant export": {
    summary: "Export a tenant to a file for another installation.",
    load: () => import("./commands/tenants/export.ts"),
  },
  "tenant import": {
    summary: "Import a tenant that was exported from another installation.",
    load: () => import("./commands/tenants/import.ts"),
  },
  "tenant suspend": {
    summary: "Reject all requests from a tenant.",
    load: () => import("./commands/tenants/suspend.ts"),
  },
  "tenant resume": {
    summary: "Accept requests from a suspended tenant again.",
    load: () => import("./commands/tenants/resume.ts"),
  },
  "tenant delete": {
    summary: "Delete a tenant after a grace period of 7 days.",
    load: () => import("./commands/tenants/delete.ts"),
  },
  "tenant restore": {
    summary: "Undo the deletion of a tenant.",
    load: () => import("./commands/tenants/restore.ts"),
  },
  "person create": {
    summary: "Create a user and print a link for setting a password.",
    load: () => import("./commands/person/create.ts"),
  },
  "person list": {
    summary: "List the users of a tenant.",
    load: () => import("./commands/person/list.ts"),
  },
  "person report": {
    summary: "Report what is stored about a person.",
    load: () => import("./commands/person/report.ts"),
  },
  "person erase": {
    summary: "Erase a person's data.",
    load: () => import("./commands/person/erase.ts"),
  },
  scrub: {
    summary: "Remove old versions of erased rows from the data files.",
    load: () => import("./commands/person/scrub.ts"),
  },
  "token create": {
    summary: "Create an access token and print it.",
    load: () => import("./commands/token/create.ts"),
  },
  key: {
    summary: "Print a new master key.",
    load: () => import("./commands/key.ts"),
  },
  demo: {
    summary: "Create a tenant with a year of invented data, or remove it.",
    load: () => import("./commands/demo.ts"),
  },
  openapi: {
    summary: "Print the API description (OpenAPI 3.1).",
    load: () => import("./commands/openapi.ts"),
  },
  docs: {
    summary: "Print a documentation page that is generated from the code.",
    load: () => import("./commands/docs.ts"),
  },
  completion: {
    summary: "Print the completion script for a shell.",
    load: async () => {
      const { completionOf } = await import("./commands/line/completion.ts");
      return { command: completionOf(COMMANDS) };
    },
  },
};
