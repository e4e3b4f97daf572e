/** Headers that the client sets itself: the User-Agent, where the runtime allows programs to set one. */

import { VERSION } from "../version.ts";

type Versions = Readonly<Record<string, string | undefined>>;

/** `leadport-client/0.1.0 (node v24.21.0)`; undefined in browsers, which send their own. */
function userAgent(): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly versions?: Versions } };
  const node = process?.versions?.["node"];
  return node === undefined ? undefined : `leadport-client/${VERSION} (node v${node})`;
}

/** Sets the User-Agent, unless the caller sends its own. */
export function setUserAgent(headers: Headers): void {
  const value = userAgent();
  if (value !== undefined) setUnlessThere(headers, "user-agent", value);
}

export function setUnlessThere(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
