/** Why a database of somebody else's making will not have us, in a sentence. */

import { StartError } from "./start-error.ts";

const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "the password is wrong",
  "28000": "the user may not connect",
  "3D000": "there is no such database",
  "42501": "the user lacks a permission",
};

/**
 * A database that cannot be reached is told in a sentence, without the address: it holds a
 * password.
 */
export function asStartError(error: unknown): unknown {
  const { code = "", message } = error as { code?: string; message: string };
  const why = REFUSALS[code];
  if (why !== undefined) return new StartError(`The database refuses us: ${why} (${message}).`);
  if (/^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+)$/.test(code)) {
    return new StartError(`The database cannot be reached: ${message}.`, { cause: error });
  }
  return error;
}
