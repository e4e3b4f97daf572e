/**
 * Passwords: Argon2id with the parameters that OWASP recommends, no more than a few at once, since each
 * takes 19 MiB, and the same work where there is nobody to compare with.
 */

import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { AppError } from "../platform/errors.ts";
import { valueError, type Fault } from "../platform/validation.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** KiB, passes and lanes; what was hashed with others is hashed anew at the next sign-in. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const AT_ONCE = 2;
/** Who waits for longer than these take, about two seconds, has left. */
const WAITING_MAX = 100;

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

export interface Passwords {
  /** Throws 503 where too many are waiting. */
  readonly hash: (password: string) => Promise<string>;
  /** The same work, and false, where nothing is stored. Throws 503 where too many are waiting. */
  readonly matches: (stored: string | null | undefined, password: string) => Promise<boolean>;
}

export function createPasswords(work: PasswordWork = ARGON2): Passwords {
  const inTurn = createTurns(AT_ONCE, WAITING_MAX);
  let nobodys: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => work.hash(password)),
    matches: (stored, password) =>
      inTurn(async () => {
        // Made in both cases, so that the first to be unknown does not wait longer.
        const dummy = await (nobodys ??= work.hash(randomBytes(32).toString("base64")));
        const isRight = await work.verify(stored ?? dummy, password);
        return isRight && typeof stored === "string";
      }),
  };
}

/** Runs so many at once; the others wait, up to so many. */
function createTurns(atOnce: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= waitingMax) {
        throw new AppError("too_busy", { headers: { "retry-after": "2" } });
      }
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
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
