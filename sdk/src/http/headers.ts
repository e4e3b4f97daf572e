/** Default request headers, which the caller can override. */

import { VERSION } from "../version.ts";

type Versions = Readonly<Record<string, string | undefined>>;

/**
 * Returns a User-Agent such as `leadport-client/0.2.0 (node v24.21.0)`; undefined in browsers,
 * which send their own.
 */
function userAgent(): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly versions?: Versions } };
  const node = process?.versions?.["node"];
  return node === undefined ? undefined : `leadport-client/${VERSION} (node v${node})`;
}

/**
 * Returns the headers for every request: the caller's headers, and the User-Agent where programs
 * may set it.
 */
export function headersOf(given: Readonly<Record<string, string>> | undefined): Headers {
  const headers = new Headers(given);
  const agent = userAgent();
  if (agent !== undefined) setUnlessThere(headers, "user-agent", agent);
  return headers;
}

export function setUnlessThere(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
