/** Help texts: for the whole command line, a group of commands, and a single command. */

import type { Command, CommandTable, Option } from "../command.ts";

const HELP: Option = { type: "boolean", doc: "Show this help." };

/** Formats two columns. The left column is as wide as its longest cell. */
function table(rows: readonly (readonly [left: string, right: string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}

const examples = (lines: readonly string[]): readonly string[] => [
  "",
  "Examples:",
  ...lines.map((line) => `  ${line}`),
];

export function commandHelp(name: string, summary: string, command: Command): string {
  const { positionals = [], options = {}, notes } = command;
  const rows = Object.entries({ ...options, help: HELP }).map(
    ([option, { doc, value = "" }]) => [`--${option} ${value}`.trimEnd(), doc] as const,
  );
  return [
    `Usage: ${["leadport", name, ...positionals, "[options]"].join(" ")}`,
    "",
    summary,
    "",
    "Options:",
    ...table(rows),
    ...(notes === undefined ? [] : ["", notes]),
    ...examples(command.examples),
  ].join("\n");
}

/** The examples in the overview. They are listed here because the overview does not load the code of any command. */
export const FIRST_EXAMPLES = [
  "leadport start",
  'leadport tenant create "Nordlys AS" --country NO --currency NOK',
  "leadport import contacts people.csv",
] as const;

/** Lists all commands, or the commands of a group such as `tenant`, with examples. */
export async function overview(commands: CommandTable, group = ""): Promise<string> {
  const prefix = group === "" ? "" : `${group} `;
  const entries = Object.entries(commands).filter(([name]) => name.startsWith(prefix));
  const loaded = group === "" ? [] : await Promise.all(entries.map(([, { load }]) => load()));
  const lines = group === "" ? FIRST_EXAMPLES : loaded.map(({ command }) => command.examples[0]);
  return [
    `Usage: leadport ${prefix}<command> [options]`,
    "",
    "Commands:",
    ...table(entries.map(([name, { summary }]) => [name, summary])),
    ...(group === "" ? ["", "Options:", ...table(OPTIONS)] : []),
    ...examples(lines),
    "",
    "Run `leadport <command> --help` to see the options of a command. Settings are environment variables:",
    "see docs/configuration.md.",
  ].join("\n");
}

const OPTIONS = [
  ["--help", "Show this help."],
  ["--version", "Show the version."],
] as const;
