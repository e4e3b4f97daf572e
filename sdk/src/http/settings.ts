/**
 * The settings of a client, checked when it is created. Errors state what is missing or malformed,
 * and how to set it.
 */

import { headersOf } from "./headers.ts";
import type { Hooks } from "./hooks.ts";
import type { RetryPolicy } from "./retry.ts";

export interface TransportSettings {
  /**
   * The URL of the service, such as `https://crm.example.com`. A path in it is prepended to the
   * path of every operation. Default: the environment variable LEADPORT_URL.
   */
  readonly url?: string | URL | undefined;
  readonly retry?: Partial<RetryPolicy> | false;
  /** How long one attempt may take in milliseconds, including its response body. Default: 30,000. */
  readonly timeout_ms?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Called before each request, with `attempt` 1 for the first. An error thrown here fails the call. */
  readonly onRequest?: Hooks["onRequest"];
  /** Called after each response or failed attempt. An error thrown here fails the call. */
  readonly onResponse?: Hooks["onResponse"];
}

/** Validated settings, in the form that requests use. */
export interface CheckedSettings extends Omit<TransportSettings, "url" | "headers"> {
  readonly url: URL;
  readonly headers: Headers;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the process's environment variables; undefined in browsers. */
function environment(): Variables | undefined {
  const { process } = globalThis as { readonly process?: { readonly env?: Variables } };
  return process?.env;
}

export interface Setting {
  /** The name of the option. */
  readonly option: string;
  /** The environment variable that is read if the option is missing. */
  readonly variable: string;
  /** A description of the setting for the message. */
  readonly what: string;
}

/**
 * Returns a setting's value: the option, or else the environment variable. An empty option counts
 * as missing. Throws a TypeError that names both.
 */
export function required<T>(given: T | undefined, { option, variable, what }: Setting): T | string {
  const env = environment();
  const value = given ?? env?.[variable];
  const isMissing = value === undefined || (typeof value === "string" && value.trim() === "");
  if (!isMissing) return value;
  const alternative = env === undefined ? "" : ` or set the environment variable ${variable}`;
  throw new TypeError(
    `The Leadport client needs ${what}. Pass the option \`${option}\`${alternative}.`,
  );
}

const URL_SETTING: Setting = {
  option: "url",
  variable: "LEADPORT_URL",
  what: "the address of the service",
};

/** Checks the URL. Throws a TypeError if it is missing or malformed. */
export function checked(settings: TransportSettings): CheckedSettings {
  const given = String(required(settings.url, URL_SETTING));
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError(
      `The option \`url\` of the Leadport client must be an http or https address such as ` +
        `https://crm.example.com, not ${JSON.stringify(withoutCredentials(given))}.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      "The option `url` of the Leadport client must not contain a user name or password.",
    );
  }
  return { ...settings, url, headers: headersOf(settings.headers) };
}

const withoutCredentials = (url: string): string => url.replace(/\/\/[^/@]*@/, "//");
