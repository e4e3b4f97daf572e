/** The installation's settings, and their parsers. */

export { ERASURE_LOG, erasureLogPath } from "./backup-settings.ts";
export { type Config, SETTINGS } from "./config.ts";
export { loadConfig } from "./load-config.ts";
export { removedSettings } from "./removed-settings.ts";
export { processes, recordLimit, type Setting, size } from "./setting-texts.ts";
