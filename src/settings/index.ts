/** The settings of an installation, their checks and their page in the docs. */

export { configurationMarkdown } from "./config-page.ts";
export type { Config } from "./config.ts";
export { loadConfig } from "./load-config.ts";
export { processes, recordLimit, size } from "./setting-texts.ts";
