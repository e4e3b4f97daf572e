/** Generates docs/configuration.md: adds the settings to the table at the end of configuration.md. */

import { SETTINGS, type Setting } from "../../settings/index.ts";
import { template } from "./template.ts";

export const configurationMarkdown = (): string =>
  template("configuration") +
  Object.values<Setting<unknown>>(SETTINGS)
    .map(
      ({ env, doc, fallback }) =>
        `| \`${env}\` | ${fallback ? `\`${fallback}\`` : ""} | ${doc} |\n`,
    )
    .join("");
