/**
 * Parsers for settings. A parser throws an Error whose message completes a sentence that starts with the setting's
 * name: "PORT …".
 */

import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { isZonedRange } from "../platform/addresses/index.ts";
import { CONCURRENCY_LIMIT_MAX, RATE_LIMIT_MAX } from "../platform/operations/index.ts";
import { isAllowEntry } from "../platform/outgoing/index.ts";

export interface Setting<T> {
  /** The name of the environment variable. */
  readonly env: string;
  readonly doc: string;
  /** Parses the variable's value, or throws an Error whose message completes a sentence that starts with `env`. */
  readonly parse: (text: string) => T;
  /** The text to parse if the variable is not set. If this is omitted, too, the setting is undefined. */
  readonly fallback?: string;
  /** Whether the value is a secret that must not appear in error messages. */
  readonly secret?: true;
}

export function url(text: string): string {
  const { protocol } = URL.parse(text) ?? {};
  if (protocol === "postgres:" || protocol === "postgresql:") return text;
  throw new Error("must look like postgres://user:password@host:5432/database");
}

/** Parses a URL and removes trailing slashes. */
const addressLike =
  (example: string) =>
  (text: string): string => {
    const found = URL.parse(text);
    const isPlain =
      found?.search === "" && found.hash === "" && found.username === "" && found.password === "";
    if (isPlain && /^https?:$/.test(found.protocol)) return found.href.replace(/\/+$/, "");
    throw new Error(`must be an address such as ${example}`);
  };

export const webAddress = addressLike("https://crm.example.com");
export const collectorAddress = addressLike("http://127.0.0.1:4318");

/** Parses headers in OpenTelemetry's format: comma-separated, percent-encoded `name=value` pairs. */
export function otlpHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = items(text).map((item) => {
    const [, name = "", value = ""] =
      /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]+)$/.exec(item) ?? [];
    const read = decoded(value);
    if (name === "" || read === undefined) {
      throw new Error("must list headers such as api-key=secret, separated by commas");
    }
    return [name, read] as const;
  });
  return Object.fromEntries(pairs);
}

/** Decodes percent-encoded text. Returns undefined if it is invalid or not allowed in a header. */
function decoded(text: string): string | undefined {
  try {
    const found = decodeURIComponent(text);
    return /^[\x20-\x7e]+$/.test(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a number from 0 to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value <= 1) return value;
  throw new Error("must be a number from 0 to 1");
}

export function smtpAddress(text: string): string {
  const { protocol = "", hostname = "" } = URL.parse(text) ?? {};
  if (/^smtps?:$/.test(protocol) && hostname !== "") return text;
  throw new Error("must look like smtps://user:password@mail.example.com:465");
}

export function mailSender(text: string): string {
  if (/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)) return text;
  throw new Error("must be an email address, or a name and an address: Leadport <crm@example.com>");
}

export function path(text: string): string {
  if (text.includes("\0")) throw new Error("must be a path");
  return resolve(text);
}

export const host = (text: string): string => {
  if (isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) return text;
  throw new Error("must be an address or a host name");
};

function wholeNumber(text: string, min: number, max: number, other = ""): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`must be a whole number from ${min} to ${max}${other}`);
}

export const integer = (min: number, max: number) => (text: string) => wholeNumber(text, min, max);

const BYTES_OF: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/** Parses a size such as `512MB` and returns the number of bytes. `off` means 0. */
export function size(text: string): number {
  if (text === "off") return 0;
  const { number = "", unit = "" } =
    /^(?<number>\d{1,7}) ?(?<unit>[MGT]B)$/.exec(text)?.groups ?? {};
  const bytes = Number(number) * (BYTES_OF[unit] ?? 0);
  if (bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER) return bytes;
  throw new Error("must be a size such as 512MB or 2GB, or off");
}

/** Creates a parser for whole numbers from 1 to `most`. `off` means 0. */
const limit = (most: number) => (text: string) =>
  text === "off" ? 0 : wholeNumber(text, 1, most, ", or off");

export const rateLimit = limit(RATE_LIMIT_MAX);
export const concurrencyLimit = limit(CONCURRENCY_LIMIT_MAX);
export const recordLimit = limit(1e12);

const PROCESSES_MAX = 128;

/**
 * The share of cores that serve requests. For each of these cores, the database needs between a third of a core and a
 * full core (docs/operating.md).
 */
const SERVING_SHARE = 0.7;

/** Returns the number of processes that serve requests if the database runs on the same machine. */
export const processesOn = (cores: number): number =>
  Math.max(1, Math.round(SERVING_SHARE * cores));

/**
 * Parses the number of processes that serve requests. With `auto`, some of the available cores are left for the
 * database.
 */
export function processes(text: string): number {
  const number = text === "auto" ? String(processesOn(availableParallelism())) : text;
  return wholeNumber(number, 1, PROCESSES_MAX, ", or auto");
}

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${values.join(", ")}`);
  };

/** Parses a time of day such as `02:30` and returns the minutes since midnight. */
export function timeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) throw new Error("must be a time of day such as 02:30");
  return Number(hours) * 60 + Number(minutes);
}

export function emailAddress(text: string): string {
  if (/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text)) return text;
  throw new Error("must be an email address such as ops@example.com");
}

export const isOn = (text: string): boolean => oneOf("off", "on")(text) === "on";

export function key(text: string): Buffer {
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, "base64");
  throw new Error("must be 32 bytes in base64, as printed by `leadport key`");
}

const items = (text: string): readonly string[] =>
  text === "" ? [] : text.split(",").map((item) => item.trim());
export const keys = (text: string): readonly Buffer[] => items(text).map(key);

export function addressRanges(text: string): readonly string[] {
  if (items(text).every(isZonedRange)) return items(text);
  throw new Error("must list addresses or ranges such as 10.0.0.0/8, separated by commas");
}

export function allowed(text: string): readonly string[] {
  const names = items(text.toLowerCase());
  if (names.every(isAllowEntry)) return names;
  throw new Error("must list host names, addresses or ranges, separated by commas");
}

/** Parses a secret that is sent in a header: 16 to 256 visible ASCII characters. */
export function metricsToken(text: string): string {
  if (/^[\x21-\x7e]{16,256}$/.test(text)) return text;
  throw new Error("must be 16 to 256 visible ASCII characters without spaces");
}
