/**
 * Passwords: Argon2id with the parameters that OWASP recommends, a few at once, and the same work for
 * accounts that do not exist.
 */

import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import type { FastifyRequest } from "fastify";
import { valueError, type Fault } from "../../platform/validation/index.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { createPasswordTurns } from "./password-turns.ts";

/** KiB, passes and lanes; what was hashed with others is hashed anew at the next sign-in. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const PASSWORD_LENGTH = { minLength: 10, maxLength: 200 } as const;

/** The work itself, for tests to count. */
export interface PasswordWork {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (stored: string, password: string) => Promise<boolean>;
}

const ARGON2: PasswordWork = {
  hash: (password) => hash(password, PARAMETERS),
  verify,
};

/** The hash of a random password that is not stored. */
export const unknownPasswordHash = (): Promise<string> =>
  ARGON2.hash(randomBytes(32).toString("base64"));

export interface Passwords {
  /** Throws 429 and 503 as `InTurn` does. */
  readonly hash: (request: FastifyRequest, password: string) => Promise<string>;
  /** If nothing is stored, does the same work and returns false. Throws 429 and 503 as `InTurn` does. */
  readonly matches: (
    request: FastifyRequest,
    stored: string | null | undefined,
    password: string,
  ) => Promise<boolean>;
}

export function createPasswords(work: PasswordWork = ARGON2): Passwords {
  const inTurn = createPasswordTurns();
  let nobodys: Promise<string> | undefined;
  return {
    hash: (request, password) => inTurn(request, () => work.hash(password)),
    matches: (request, stored, password) =>
      inTurn(request, async () => {
        // Made in both cases, so that the first to be unknown does not wait longer.
        const dummy = await (nobodys ??= work.hash(randomBytes(32).toString("base64")));
        const isRight = await work.verify(stored ?? dummy, password);
        return isRight && typeof stored === "string";
      }),
  };
}

/** Whether a hash was made with other parameters than those of today. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return (
    memoryCost !== PARAMETERS.memoryCost ||
    timeCost !== PARAMETERS.timeCost ||
    parallelism !== PARAMETERS.parallelism
  );
}

/** What is wrong with a new password beside its length: what would be guessed first. */
export async function passwordFaults(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<readonly Fault[]> {
  const plain = password.trim().toLowerCase();
  if (plain === email.trim().toLowerCase() || plain === name.trim().toLowerCase()) {
    return [valueError("a password cannot be the e-mail or the name")];
  }
  return (await isCommonPassword(password))
    ? [valueError("this password is common, or one with a few characters added: choose another")]
    : [];
}
