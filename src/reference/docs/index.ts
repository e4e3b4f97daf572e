/**
 * The pages in docs/ that are generated from the code. Their prose is in the Markdown files of this folder, and the
 * code adds the tables.
 */

import { configurationMarkdown } from "./configuration.ts";
import { errorsMarkdown } from "./errors.ts";
import { recordsMarkdown } from "./records.ts";

/** The pages by name (docs/<name>.md). */
export const PAGES: Readonly<Record<string, () => string>> = {
  configuration: configurationMarkdown,
  errors: errorsMarkdown,
  records: recordsMarkdown,
};
