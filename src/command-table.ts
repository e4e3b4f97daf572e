/** The commands, in the order of the help. A command's code is loaded when it is called. */

import type { CommandTable } from "./commands/index.ts";

export const COMMANDS: CommandTable = {
  start: {
    summary: "Run the database, the API and the background work together.",
    load: () => import("./commands/run/start.ts"),
  },
  serve: {
    summary: "Run only the API, on a migrated database. Run as many as you need.",
    load: () => import("./commands/run/serve.ts"),
  },
  worker: {
    summary: "Run only the background work. Run as many as you need.",
    load: () => import("./commands/run/worker.ts"),
  },
  migrate: {
    summary: "Migrate the database to the schema of this version.",
    load: () => import("./commands/migrate.ts"),
  },
  doctor: {
    summary: "Check the installation and print how to fix what is wrong.",
    load: () => import("./commands/doctor/doctor.ts"),
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
    summary: "Create a tenant, and print the token of its owner.",
    load: () => import("./commands/tenant-create.ts"),
  },
  "tenant list": {
    summary: "List the tenants.",
    load: () => import("./commands/tenant-list.ts"),
  },
  "tenant quota": {
    summary: "Set how much a tenant may store, and print how much it stores.",
    load: () => import("./commands/tenant-quota.ts"),
  },
  "person create": {
    summary: "Create a user, and print the link to set a password.",
    load: () => import("./commands/person-create.ts"),
  },
  "person list": {
    summary: "List the users of a tenant.",
    load: () => import("./commands/person-list.ts"),
  },
  "token create": {
    summary: "Create an access token, and print it.",
    load: () => import("./commands/token-create.ts"),
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
    summary: "Print the description of the API (OpenAPI 3.1).",
    load: () => import("./commands/openapi.ts"),
  },
  docs: {
    summary: "Print a page of the documentation that is generated from the code.",
    load: () => import("./commands/docs.ts"),
  },
  completion: {
    summary: "Print the completion script of a shell.",
    load: async () => {
      const { completionOf } = await import("./commands/line/completion.ts");
      return { command: completionOf(COMMANDS) };
    },
  },
};
