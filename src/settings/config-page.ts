/** Generates docs/configuration.md from the table of settings. */

import { SETTINGS } from "./config.ts";
import type { Setting } from "./setting-texts.ts";

export function configurationMarkdown(): string {
  const rows = Object.values<Setting<unknown>>(SETTINGS).map(
    ({ env, doc, fallback }) => `| \`${env}\` | ${fallback ? `\`${fallback}\`` : ""} | ${doc} |`,
  );
  return [
    "# Configuration",
    "",
    "Every setting is an environment variable. You can start Leadport without setting any. An empty value " +
      "counts as not set.",
    "Leadport reads the settings once, at startup. If any are invalid, one error message lists all of them. " +
      "In sizes, `1GB`",
    "means 1,024 MB, and `1MB` means 1,024² bytes.",
    "",
    "This page is generated from `src/settings/config.ts` (`leadport docs configuration`).",
    "",
    "| variable | default | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
