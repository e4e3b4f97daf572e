/**
 * The command line: the table of commands, their help, and exit codes (0 done, 1 failed, 2 wrong
 * use). A command's code is loaded when it is called, so that the small ones start at once.
 */

import { parseArgs, type ParseArgsConfig } from "node:util";
import { type Command, UsageError } from "./commands/index.ts";
import { StartError } from "./platform/errors/index.ts";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  start: {
    summary: "Database, API and background work together.",
    load: () => import("./commands/run/start.ts"),
  },
  serve: {
    summary: "The API alone, on a database that is migrated; any number of them.",
    load: () => import("./commands/run/serve.ts"),
  },
  worker: {
    summary: "The background work alone; any number of them.",
    load: () => import("./commands/run/worker.ts"),
  },
  migrate: {
    summary: "Bring the database to this program's schema.",
    load: () => import("./commands/migrate.ts"),
  },
  doctor: {
    summary: "Check the installation and print what to do.",
    load: () => import("./commands/doctor/doctor.ts"),
  },
  import: {
    summary: "Take records from a CSV or NDJSON file.",
    load: () => import("./commands/files/import.ts"),
  },
  export: {
    summary: "Write the records of a type as CSV or NDJSON.",
    load: () => import("./commands/files/export.ts"),
  },
  "tenant create": {
    summary: "Make a tenant, and print the token of its owner.",
    load: () => import("./commands/tenant-create.ts"),
  },
  "tenant list": {
    summary: "Print the handle, id and name of every tenant.",
    load: () => import("./commands/tenant-list.ts"),
  },
  "tenant quota": {
    summary: "Set how much a tenant may store, and print how much it stores.",
    load: () => import("./commands/tenant-quota.ts"),
  },
  "person create": {
    summary: "Make a person who signs in, and print the link by which they set a password.",
    load: () => import("./commands/person-create.ts"),
  },
  "token create": {
    summary: "Make an access token, and print it and nothing else.",
    load: () => import("./commands/token-create.ts"),
  },
  demo: {
    summary: "Create a tenant with a year of invented data, or remove it.",
    load: () => import("./commands/demo.ts"),
  },
  key: {
    summary: "Print a new master key.",
    load: () => import("./commands/key.ts"),
  },
  openapi: {
    summary: "Print the description of the API (OpenAPI 3.1).",
    load: () => import("./commands/openapi.ts"),
  },
  docs: {
    summary: "Print a page of the documentation that comes from the code.",
    load: () => import("./commands/docs.ts"),
  },
};

const NAME_WIDTH = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 2;

const overview = (only = ""): string =>
  [
    "Usage: leadport <command> [options]",
    "",
    ...Object.entries(COMMANDS)
      .filter(([name]) => name.startsWith(only))
      .map(([name, { summary }]) => `  ${name.padEnd(NAME_WIDTH)}${summary}`),
    "",
    "`leadport <command> --help` says more. Settings are environment variables: docs/configuration.md.",
  ].join("\n");

function help(name: string, { summary }: Entry, { positionals = [], options, notes }: Command) {
  const rows = Object.entries({
    ...options,
    help: { type: "boolean", doc: "Print this." } as const,
  }).map(([option, { doc, value }]: [string, { doc: string; value?: string }]) => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    doc,
  ]);
  const width = Math.max(...rows.map(([left = ""]) => left.length)) + 2;
  return [
    `Usage: ${["leadport", name, ...positionals, "[options]"].join(" ")}`,
    "",
    summary,
    "",
    ...rows.map(([left = "", doc = ""]) => `  ${left.padEnd(width)}${doc}`),
    ...(notes === undefined ? [] : ["", notes]),
  ].join("\n");
}

/** The command that the words name, the longer name first, and what is left of the words. */
function find(words: readonly string[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (words.length >= length && entry !== undefined)
      return { name, entry, rest: words.slice(length) };
  }
  return undefined;
}

async function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const found = find(words);
  if (found === undefined) return runNone(words);
  const { name, entry, rest } = found;
  const { command } = await entry.load();
  const { positionals: wanted = [], options = {} } = command;
  if (rest.includes("--help") || rest.includes("-h")) {
    console.log(help(name, entry, command));
    return;
  }
  const known = Object.entries(options).map(([option, { type, multiple = false }]) => [
    option,
    { type, multiple },
  ]);
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(known) as NonNullable<ParseArgsConfig["options"]>,
    allowPositionals: true,
    strict: true,
  });
  if (positionals.length !== wanted.length) {
    const told = wanted.length === 0 ? "nothing" : wanted.join(" ");
    throw new UsageError(`\`leadport ${name}\` takes ${told} after its name`);
  }
  if (command.mindsSignals !== true) endOnSignals();
  await command.run({ values, positionals, env });
}

/** By exit(), so that a database that was started for the command is stopped. */
function endOnSignals(): void {
  for (const [signal, code] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => process.exit(code));
  }
}

/** `leadport`, `leadport --help`, `leadport tenant --help`, or something we do not know. */
function runNone(words: readonly string[]): void {
  const [first = ""] = words;
  const asked = words.includes("--help") || words.includes("-h") || first === "help";
  const group = Object.keys(COMMANDS).some((name) => name.startsWith(`${first} `)) ? first : "";
  if (asked && (first.startsWith("-") || first === "help" || group !== "")) {
    console.log(overview(group));
    return;
  }
  if (first === "") throw new UsageError(overview());
  throw new UsageError(`There is no command \`${words.join(" ")}\`\n\n${overview(group)}`);
}

const isParseError = (error: unknown) =>
  String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");

/** What to print for a failure, and the exit code. */
function tell(error: unknown): number {
  if (error instanceof UsageError || isParseError(error)) {
    console.error((error as Error).message);
    return 2;
  }
  console.error(error instanceof StartError ? error.message : error);
  return 1;
}

// Whatever reads our output may have enough of it: `leadport export … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  await run(process.argv.slice(2), process.env);
} catch (error) {
  // Not exitCode: a timer or a socket that is left over would keep a failed command alive.
  process.exit(tell(error));
}
