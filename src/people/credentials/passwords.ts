/**
 * Hashes and checks passwords. Uses Argon2id with the parameters that OWASP recommends. Only a few passwords are hashed
 * at the same time. A sign-in to an unknown account takes as long as one to an existing account.
 */

import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import type { FastifyRequest } from "fastify";
import { valueError, type Fault } from "../../platform/validation/index.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { createPasswordTurns } from "./password-turns.ts";

/** Memory in KiB, passes and lanes. Hashes with other parameters are updated at the next sign-in. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The hashes that a release may have written, as a regular expression. A hash names its own cost, so hashes from a
 * tenant file are checked against it.
 */
export const PASSWORD_HASH = [
  "^",
  "argon2id",
  "v=19",
  "m=1?[1-9][0-9]{3},t=[12],p=1",
  "[A-Za-z0-9+/]{21}[AQgw]",
  "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$",
].join("\\$");

export const PASSWORD_LENGTH = { minLength: 10, maxLength: 200 } as const;

/** The hash functions. Tests replace them to count calls. */
export interface PasswordWork {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (stored: string, password: string) => Promise<boolean>;
}

const ARGON2: PasswordWork = {
  hash: (password) => hash(password, PARAMETERS),
  verify,
};

/** Returns the hash of a random password that is not stored. */
export const unknownPasswordHash = (): Promise<string> =>
  ARGON2.hash(randomBytes(32).toString("base64"));

export interface Passwords {
  /** Returns the hash of a password. Throws 429 and 503 like `InTurn`. */
  readonly hash: (request: FastifyRequest, password: string) => Promise<string>;
  /**
   * Checks a password. If no hash is stored, takes the same time and returns false. Throws 429 and 503 like `InTurn`.
   */
  readonly matches: (
    request: FastifyRequest,
    stored: string | null | undefined,
    password: string,
  ) => Promise<boolean>;
}

export function createPasswords(work: PasswordWork = ARGON2): Passwords {
  const inTurn = createPasswordTurns();
  let dummyHash: Promise<string> | undefined;
  return {
    hash: (request, password) => inTurn(request, () => work.hash(password)),
    matches: (request, stored, password) =>
      inTurn(request, async () => {
        // Compute this hash even for existing accounts. Otherwise, the first sign-in to an unknown account would take
        // longer.
        const dummy = await (dummyHash ??= work.hash(randomBytes(32).toString("base64")));
        // A stored hash that cannot be read matches no password.
        const isRight = await work.verify(stored ?? dummy, password).catch(() => false);
        return isRight && typeof stored === "string";
      }),
  };
}

/** Whether a hash was created with parameters other than the current ones. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return (
    memoryCost !== PARAMETERS.memoryCost ||
    timeCost !== PARAMETERS.timeCost ||
    parallelism !== PARAMETERS.parallelism
  );
}

/** Returns why a new password is too easy to guess; an empty list if it is not. The schema checks the length. */
export async function passwordFaults(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<readonly Fault[]> {
  const plain = password.trim().toLowerCase();
  if (plain === email.trim().toLowerCase() || plain === name.trim().toLowerCase()) {
    return [valueError("the password must not be your email or name")];
  }
  return (await isCommonPassword(password))
    ? [valueError("this password is too common or too similar to a common one: choose another")]
    : [];
}
