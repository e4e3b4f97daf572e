/**
 * The pages in docs/ that are generated from the code. Their prose is in the Markdown files of this folder, and the
 * code adds the tables.
 */

import type { RecordTypes } from "../../records/types/index.ts";
import { configurationMarkdown } from "./configuration.ts";
import { errorsMarkdown } from "./errors.ts";
import { recordsMarkdown } from "./records.ts";

/** Functions that return the pages, by name (docs/<name>.md). */
export const PAGES: Readonly<Record<string, (types: RecordTypes) => string>> = {
  configuration: configurationMarkdown,
  errors: errorsMarkdown,
  records: recordsMarkdown,
};
