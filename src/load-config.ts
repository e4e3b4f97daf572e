/** Reads the settings from the environment, once at start. */

import { SETTINGS, type Config, type Setting } from "./config.ts";
import { addressRanges, allowed, keys } from "./platform/setting-texts.ts";
import { StartError } from "./platform/start-error.ts";

/** What a list setting means when it is not set. */
const EMPTY: ReadonlySet<unknown> = new Set([keys, addressRanges, allowed]);

function read(setting: Setting<unknown>, env: NodeJS.ProcessEnv): unknown {
  const given = env[setting.env]?.trim() ?? "";
  const text = given === "" ? (setting.fallback ?? "") : given;
  if (text === "") return EMPTY.has(setting.parse) ? [] : undefined;
  try {
    return setting.parse(text);
  } catch (error) {
    const shown = setting.secret ? "" : `, not ${JSON.stringify(text)}`;
    throw new StartError(`${setting.env} ${(error as Error).message}${shown}`);
  }
}

/** Settings that other settings require. */
function conflicts(config: Partial<Config>, wrong: readonly string[]): string[] {
  const found: string[] = [];
  const names = (setting: Setting<unknown>) => wrong.some((text) => text.startsWith(setting.env));
  if (config.databaseUrl !== undefined && config.masterKey === undefined) {
    if (!names(SETTINGS.masterKey)) {
      found.push("MASTER_KEY must be set when DATABASE_URL is; `leadport key` makes one");
    }
  }
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    found.push("TLS_CERT_FILE and TLS_KEY_FILE must be set together");
  }
  for (const { env, value } of [
    { env: "MAIL_FROM", value: config.mailFrom },
    { env: "PUBLIC_URL", value: config.publicUrl },
  ]) {
    // Without them, a request for an email could name the host that its link leads to.
    if (config.smtpUrl === undefined || value !== undefined) continue;
    if (!wrong.some((text) => text.startsWith(env))) {
      found.push(`${env} must be set when SMTP_URL is`);
    }
  }
  return found;
}

/**
 * The settings of this process. Throws one StartError that names every setting that is wrong; the
 * values of secrets are not in it.
 */
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
