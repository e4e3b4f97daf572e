/** `leadport completion`: prints a script that completes commands, options and their values in a shell. */

import { type Command, type CommandTable, UsageError } from "../command.ts";
import { bashScript } from "./complete-bash.ts";
import { fishScript } from "./complete-fish.ts";
import { zshScript } from "./complete-zsh.ts";
import type { Completable, Values } from "./completable.ts";

const SCRIPTS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash: bashScript,
  fish: fishScript,
  zsh: zshScript,
};
const SHELLS = Object.keys(SCRIPTS);

/** Creates the `completion` command for a command table. */
export const completionOf = (table: CommandTable): Command => ({
  positionals: ["<shell>"],
  choices: { "<shell>": SHELLS },
  notes:
    `Shells: ${SHELLS.join(", ")}. Add the example line to ~/.bashrc or ~/.zshrc, or write the script to the\n` +
    "folder from which your shell loads completions. Then open a new shell.",
  examples: [
    "source <(leadport completion bash)",
    "source <(leadport completion zsh)",
    "leadport completion fish > ~/.config/fish/completions/leadport.fish",
  ],
  run: async ({ positionals: [shell = ""] }) => {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) {
      throw new UsageError(`Unsupported shell: ${shell}. Available shells: ${SHELLS.join(", ")}.`);
    }
    const commands = Object.entries(table).map(async ([name, { summary, load }]) =>
      completable(name, summary, (await load()).command),
    );
    process.stdout.write(script(await Promise.all(commands)));
  },
});

function completable(name: string, summary: string, command: Command): Completable {
  const { positionals = [], options = {}, choices = {} } = command;
  const valuesOf = (key: string, placeholder: string): Values =>
    choices[key] ?? (placeholder === "<file>" ? "files" : "any");
  const own = Object.entries(options).map(
    ([option, { type, value = "", multiple = false, doc }]) => ({
      flag: `--${option}`,
      doc,
      values: type === "boolean" ? undefined : valuesOf(option, value),
      isRepeated: multiple,
    }),
  );
  return {
    name,
    summary,
    options: [
      ...own,
      { flag: "--help", doc: "Show this help.", values: undefined, isRepeated: false },
    ],
    places: positionals.map((placeholder) => ({
      name: placeholder.replaceAll(/[<>]/g, ""),
      values: valuesOf(placeholder, placeholder),
    })),
  };
}
