/** Finds and runs the command that a command line names, and prints help, the version and errors. */

import { COMMANDS } from "./command-table.ts";
import { exitOnSignals, isCanceled, type Output, UsageError } from "./commands/index.ts";
import {
  commandHelp,
  findCommand,
  overview,
  parseWords,
  unknownCommand,
} from "./commands/line/index.ts";
import { AppError, StartError, ValidationError, asError } from "./platform/errors/index.ts";

/** How many digits of a commit's hash are printed. */
const SHOWN_HASH = 12;

const asksForHelp = (words: readonly string[]): boolean =>
  words.includes("--help") || words.includes("-h");

/** Runs the command that `words` name. Returns the exit code. */
export async function runCommandLine(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  try {
    return (await run(words, env, output)) ?? 0;
  } catch (error) {
    return report(error, output);
  }
}

async function run(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number | void> {
  const found = findCommand(COMMANDS, words);
  if (found === undefined) return runNone(words, output);
  const { name, entry, rest } = found;
  const { command } = await entry.load();
  if (asksForHelp(rest)) {
    output.log(commandHelp(name, entry.summary, command));
    return;
  }
  const given = parseWords(name, command, rest);
  if (command.handlesSignals !== true) exitOnSignals(env);
  return command.run({ ...given, env, output });
}

/** Handles `leadport`, `leadport --help`, `leadport --version`, `leadport tenant --help`, and unknown commands. */
async function runNone(words: readonly string[], output: Output): Promise<void> {
  const [first = "", ...others] = words;
  if ((first === "--version" || first === "version") && others.length === 0) {
    const { release } = await import("./platform/migrations/index.ts");
    const { version, commit, schema_version } = release();
    const from = commit?.slice(0, SHOWN_HASH) ?? "unknown";
    output.log(`leadport ${version} (commit ${from}, schema ${schema_version})`);
    return;
  }
  const isGroup = Object.keys(COMMANDS).some((name) => name.startsWith(`${first} `));
  const group = isGroup ? first : "";
  const isHelp = first === "help" || first === "-h" || first === "--help";
  if (isHelp || (isGroup && asksForHelp(others))) {
    output.log(await overview(COMMANDS, group));
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
function report(error: unknown, output: Output): number {
  const { message, cause } = asError(error);
  if (isCanceled(error) || isCanceled(cause)) {
    // The cursor is still on the line of the question.
    output.error(`\n${isCanceled(error) ? "Canceled." : message}`);
    return 130;
  }
  output.error(EXPECTED.some((kind) => error instanceof kind) ? message : error);
  return error instanceof UsageError ? 2 : 1;
}
