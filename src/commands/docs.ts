/** `leadport docs`: the pages of docs/ that are printed from the code; tests keep them fresh. */

import { configurationMarkdown } from "../config.ts";
import { type Command, UsageError } from "./command.ts";

const PAGES: Readonly<Record<string, () => string>> = {
  configuration: configurationMarkdown,
};

export const command: Command = {
  positionals: ["<page>"],
  notes: `Pages: ${Object.keys(PAGES).join(", ")}.`,
  run: async ({ positionals: [name = ""] }) => {
    const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
    if (page === undefined) throw new UsageError(`There is no page ${name}`);
    process.stdout.write(page());
  },
};
