/**
 * A client's settings, which are checked when it is created. Error messages state what is missing
 * or malformed and how to set it.
 */

import { headersOf } from "./headers.ts";
import type { Hooks } from "./hooks.ts";
import type { RetryPolicy } from "./retry.ts";

export interface TransportSettings {
  /**
   * The service's URL, such as `https://crm.example.com`. If it contains a path, every operation's
   * path is appended to it. Default: the environment variable LEADPORT_URL.
   */
  readonly url?: string | URL | undefined;
  readonly retry?: Partial<RetryPolicy> | false;
  /**
   * The timeout of one attempt in milliseconds, including reading the response body. Does not apply
   * to uploads, exports and `open`. Default: 30,000.
   */
  readonly timeout_ms?: number;
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A function to use instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Called before each request. `attempt` is 1 for the first request. An error thrown here fails
   * the call.
   */
  readonly onRequest?: Hooks["onRequest"];
  /** Called after each response or failed attempt. An error thrown here fails the call. */
  readonly onResponse?: Hooks["onResponse"];
}

/** Validated settings, in the form that the transport uses. */
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
  /** The environment variable to read if the option is missing. */
  readonly variable: string;
  /** A description of the setting for the error message. */
  readonly what: string;
}

/**
 * Returns a setting's value, from the option or else from the environment variable. An empty option
 * counts as missing. Throws a TypeError that names both if neither is set.
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

/**
 * Returns the settings with a parsed URL. Throws a TypeError if the URL is missing or malformed.
 */
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
