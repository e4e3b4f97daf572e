/** The installation's settings, their parsers, and their documentation page. */

export { ERASURE_LOG, erasureLogPath } from "./backup-settings.ts";
export { configurationMarkdown } from "./config-page.ts";
export type { Config } from "./config.ts";
export { loadConfig } from "./load-config.ts";
export { removedSettings } from "./removed-settings.ts";
export { processes, recordLimit, size } from "./setting-texts.ts";
