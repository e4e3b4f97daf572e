/** Reads the settings from the environment, once at start. */

import { SETTINGS, type Config } from "./config.ts";
import type { Setting } from "./setting-texts.ts";
import { StartError } from "../platform/errors/index.ts";

function read(setting: Setting<unknown>, env: NodeJS.ProcessEnv): unknown {
  const text = env[setting.env]?.trim() || setting.fallback;
  if (text === undefined) return undefined;
  try {
    return setting.parse(text);
  } catch (error) {
    const shown = setting.secret ? "" : `, not ${JSON.stringify(text)}`;
    throw new StartError(`${setting.env} ${(error as Error).message}${shown}`);
  }
}

/** What is missing, a sentence each; `wrong` are the sentences on settings that could not be read. */
function conflicts(config: Partial<Config>, wrong: readonly string[]): readonly string[] {
  const found: string[] = [];
  const isMissing = (env: string, value: unknown) =>
    value === undefined && !wrong.some((text) => text.startsWith(env));
  if (config.databaseUrl !== undefined && isMissing("MASTER_KEY", config.masterKey)) {
    found.push("MASTER_KEY must be set when DATABASE_URL is; `leadport key` makes one");
  }
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    found.push("TLS_CERT_FILE and TLS_KEY_FILE must be set together");
  }
  if (config.smtpUrl !== undefined) {
    // Without them, a request for an email could name the host that its link leads to.
    const needed = { MAIL_FROM: config.mailFrom, PUBLIC_URL: config.publicUrl };
    const missing = Object.entries(needed).filter(([env, value]) => isMissing(env, value));
    found.push(...missing.map(([env]) => `${env} must be set when SMTP_URL is`));
  }
  return found;
}

/** Reads the settings. Throws a StartError that names every wrong one, without any secret. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, setting] of Object.entries(SETTINGS)) {
    try {
      values[name] = read(setting, env);
    } catch (error) {
      wrong.push((error as Error).message);
    }
  }
  wrong.push(...conflicts(values, wrong));
  if (wrong.length > 0) {
    throw new StartError(["Some settings are wrong:", ...wrong].join("\n  "));
  }
  return Object.freeze(values as Config);
}
