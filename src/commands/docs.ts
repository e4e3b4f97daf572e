/** `leadport docs`: the pages of docs/ that are printed from the code; tests keep them fresh. */

import { configurationMarkdown } from "../settings/index.ts";
import { errorsMarkdown } from "../platform/operations/index.ts";
import { recordsMarkdown } from "../records/index.ts";
import { type Command, UsageError } from "./command.ts";

/** The pages by name: docs/<name>.md. */
export const PAGES: Readonly<Record<string, () => string>> = {
  configuration: configurationMarkdown,
  errors: errorsMarkdown,
  records: recordsMarkdown,
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
