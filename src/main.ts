/**
 * The command line: runs commands, prints help and the version, and exits with 0 (success), 1 (failure), 2 (invalid
 * usage) or 130 (canceled).
 */

import program from "../package.json" with { type: "json" };
import { COMMANDS } from "./command-table.ts";
import { exitOnSignals, isCanceled, UsageError } from "./commands/index.ts";
import {
  commandHelp,
  findCommand,
  overview,
  parseWords,
  unknownCommand,
} from "./commands/line/index.ts";
import { AppError, StartError, ValidationError } from "./platform/errors/index.ts";

const asksForHelp = (words: readonly string[]): boolean =>
  words.includes("--help") || words.includes("-h");

async function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const found = findCommand(COMMANDS, words);
  if (found === undefined) return runNone(words);
  const { name, entry, rest } = found;
  const { command } = await entry.load();
  if (asksForHelp(rest)) {
    console.log(commandHelp(name, entry.summary, command));
    return;
  }
  const given = parseWords(name, command, rest);
  if (command.handlesSignals !== true) exitOnSignals(env);
  await command.run({ ...given, env });
}

/** Handles `leadport`, `leadport --help`, `leadport --version`, `leadport tenant --help`, and unknown commands. */
async function runNone(words: readonly string[]): Promise<void> {
  const [first = "", ...others] = words;
  if ((first === "--version" || first === "version") && others.length === 0) {
    console.log(`leadport ${program.version}`);
    return;
  }
  const isGroup = Object.keys(COMMANDS).some((name) => name.startsWith(`${first} `));
  const group = isGroup ? first : "";
  const isHelp = first === "help" || first === "-h" || first === "--help";
  if (isHelp || (isGroup && asksForHelp(others))) {
    console.log(await overview(COMMANDS, group));
    return;
  }
  if (first === "") throw new UsageError(await overview(COMMANDS));
  const isIncomplete = isGroup && others.length === 0;
  const problem = isIncomplete
    ? `\`leadport ${first}\` is incomplete.`
    : unknownCommand(COMMANDS, words);
  const help = isGroup
    ? await overview(COMMANDS, group)
    : "Run `leadport --help` to see all commands.";
  throw new UsageError(`${problem}\n\n${help}`);
}

/** The errors that are not faults of the program. They are printed without a stack trace. */
const EXPECTED = [UsageError, StartError, AppError, ValidationError];

/** Prints an error and returns the exit code. */
function report(error: unknown): number {
  const { message, cause } = error as Error;
  if (isCanceled(error) || isCanceled(cause)) {
    // The cursor is still on the line of the question.
    console.error(`\n${isCanceled(error) ? "Canceled." : message}`);
    return 130;
  }
  console.error(EXPECTED.some((kind) => error instanceof kind) ? message : error);
  return error instanceof UsageError ? 2 : 1;
}

// The program that reads our output may close the pipe, as `head` does. The command then continues without output.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  await run(process.argv.slice(2), process.env);
} catch (error) {
  // Exit explicitly: with process.exitCode, a remaining timer or socket would keep the process alive.
  process.exit(report(error));
}
