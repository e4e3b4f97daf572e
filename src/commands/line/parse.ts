/** Parses the command line into a command and its arguments. */

import { parseArgs, type ParseArgsConfig } from "node:util";
import {
  type Command,
  type CommandEntry,
  type CommandTable,
  type Given,
  UsageError,
} from "../command.ts";
import { closest } from "./suggest.ts";
import { messageOf, codeOf } from "../../platform/errors/index.ts";

export interface FoundCommand {
  readonly name: string;
  readonly entry: CommandEntry;
  /** The words after the command name. */
  readonly rest: readonly string[];
}

/** Finds the command named by the first words. Two-word names take precedence. */
export function findCommand(
  table: CommandTable,
  words: readonly string[],
): FoundCommand | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (words.length >= length && entry !== undefined) {
      return { name, entry, rest: words.slice(length) };
    }
  }
  return undefined;
}

/** Returns the message for an unknown command, with a suggestion. */
export function unknownCommand(table: CommandTable, words: readonly string[]): string {
  const [first = ""] = words;
  const names = first.startsWith("-") ? ["--help", "--version"] : Object.keys(table);
  const typed = (name: string) => words.slice(0, name.split(" ").length).join(" ");
  const meant = closest(names.map((name) => [typed(name), name]));
  const unknown = first.startsWith("-")
    ? `option ${first}`
    : `command \`leadport ${words.join(" ")}\``;
  const question = meant === undefined ? "" : ` Did you mean \`leadport ${meant}\`?`;
  return `Unknown ${unknown}.${question}`;
}

/** Parses the words after a command's name. Throws a UsageError if they are invalid. */
export function parseWords(
  name: string,
  { positionals: wanted = [], options = {} }: Command,
  words: readonly string[],
): Pick<Given, "values" | "positionals"> {
  const known = Object.entries(options).map(([option, { type, multiple = false }]) => [
    option,
    { type, multiple },
  ]);
  const config = {
    args: [...words],
    options: Object.fromEntries(known) as NonNullable<ParseArgsConfig["options"]>,
    allowPositionals: true,
  } as const;
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === "option" && !Object.hasOwn(options, token.name)) {
      throw new UsageError(unknownOption(name, token.rawName, Object.keys(options)));
    }
  }
  const { values, positionals } = parsedStrictly(config);
  const needed = wanted.filter((placeholder) => !placeholder.startsWith("["));
  if (positionals.length < needed.length || positionals.length > wanted.length) {
    throw new UsageError(usage(name, wanted, positionals));
  }
  return { values, positionals };
}

function parsedStrictly(config: ParseArgsConfig) {
  try {
    return parseArgs({ ...config, strict: true }) as Pick<Given, "values" | "positionals">;
  } catch (error) {
    const isUsage = codeOf(error).startsWith("ERR_PARSE_ARGS");
    throw isUsage ? new UsageError(messageOf(error), { cause: error }) : error;
  }
}

function unknownOption(name: string, given: string, options: readonly string[]): string {
  const meant = closest([...options, "help"].map((option) => [given, `--${option}`]));
  const question = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return (
    `\`leadport ${name}\` has no option ${given}.${question}\n` +
    `Run \`leadport ${name} --help\` to see its options.`
  );
}

function usage(name: string, wanted: readonly string[], given: readonly string[]): string {
  const missing = wanted.slice(given.length);
  const extra = given.slice(wanted.length).map((word) => JSON.stringify(word));
  const problem =
    missing.length > 0 ? `${missing.join(" ")} is missing` : `${extra.join(" ")} is not expected`;
  const line = ["leadport", name, ...wanted, "[options]"].join(" ");
  return `\`leadport ${name}\`: ${problem}.\nUsage: ${line}`;
}
