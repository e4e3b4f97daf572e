/** Reads the settings from the environment at startup. */

import { SETTINGS, type Config } from "./config.ts";
import type { Setting } from "./setting-texts.ts";
import { messageOf, StartError } from "../platform/errors/index.ts";

function read(setting: Setting<unknown>, env: NodeJS.ProcessEnv): unknown {
  const text = env[setting.env]?.trim() || setting.fallback;
  if (text === undefined) return undefined;
  try {
    return setting.parse(text);
  } catch (error) {
    const shown = setting.secret ? "" : `, not ${JSON.stringify(text)}`;
    throw new StartError(`${setting.env} ${messageOf(error)}${shown}`);
  }
}

/**
 * Returns messages about settings that are missing or that contradict each other. `wrong` contains the existing
 * messages about invalid settings.
 */
function conflicts(config: Partial<Config>, wrong: readonly string[]): readonly string[] {
  const found: string[] = [];
  const isMissing = (env: string, value: unknown) =>
    value === undefined && !wrong.some((text) => text.startsWith(env));
  if (config.databaseUrl !== undefined && isMissing("MASTER_KEY", config.masterKey)) {
    found.push("MASTER_KEY must be set when DATABASE_URL is; `leadport key` creates one");
  }
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    found.push("TLS_CERT_FILE and TLS_KEY_FILE must be set together");
  }
  if (config.smtpUrl !== undefined) {
    // PUBLIC_URL is required for email. Without it, the Host header of a request could determine the links in emails.
    const needed = { MAIL_FROM: config.mailFrom, PUBLIC_URL: config.publicUrl };
    const missing = Object.entries(needed).filter(([env, value]) => isMissing(env, value));
    found.push(...missing.map(([env]) => `${env} must be set when SMTP_URL is`));
  }
  return found;
}

/** Reads the settings. Throws a StartError that lists all invalid settings, without revealing secrets. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, setting] of Object.entries(SETTINGS)) {
    try {
      values[name] = read(setting, env);
    } catch (error) {
      wrong.push(messageOf(error));
    }
  }
  wrong.push(...conflicts(values, wrong));
  if (wrong.length > 0) {
    throw new StartError(["Some settings are invalid:", ...wrong].join("\n  "));
  }
  return Object.freeze(values as Config);
}
