/** docs/configuration.md, printed from the table of settings. */

import { SETTINGS } from "./config.ts";
import type { Setting } from "./setting-texts.ts";

export function configurationMarkdown(): string {
  const rows = Object.values<Setting<unknown>>(SETTINGS).map(
    ({ env, doc, fallback }) => `| \`${env}\` | ${fallback ? `\`${fallback}\`` : ""} | ${doc} |`,
  );
  return [
    "# Configuration",
    "",
    "Every setting is an environment variable. All have a fallback or may be left out; an empty",
    "value counts as not set. They are read once, at start; one message names every wrong one.",
    "",
    "This page is printed from `src/settings/config.ts` by `leadport docs configuration`.",
    "",
    "| variable | without it | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
