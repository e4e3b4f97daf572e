/**
 * `leadport docs`: prints the pages in docs/ that are generated from the code. Tests check that they are up to date.
 */

import { BUILT_IN_TYPES } from "../records/types/index.ts";
import { PAGES } from "../reference/docs/index.ts";
import { type Command, UsageError } from "./command.ts";

const NAMES = Object.keys(PAGES);

export const command: Command = {
  positionals: ["<page>"],
  choices: { "<page>": NAMES },
  notes: `Pages: ${NAMES.join(", ")}.`,
  examples: ["leadport docs configuration", "leadport docs errors > errors.md"],
  run: async ({ positionals: [name = ""] }) => {
    const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
    if (page === undefined) {
      throw new UsageError(`Unknown page: ${name}. Available pages: ${NAMES.join(", ")}.`);
    }
    process.stdout.write(page(BUILT_IN_TYPES));
  },
};
