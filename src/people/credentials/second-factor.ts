/**
 * The second factor: codes from an authenticator app (TOTP, RFC 6238), each valid once, and recovery codes for users
 * who have lost their device.
 */

import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { hashOf } from "../../access/index.ts";
import type { Scope, TenantId } from "../../audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import type { Sealer } from "../../platform/secrets/index.ts";

/** The parameters that all authenticator apps support. */
const TOTP_OPTIONS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Maximum clock difference, in time steps. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Excludes characters that are easily confused. A code with 16 of these characters has 79 bits of entropy. */
const RECOVERY_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const RECOVERY_LENGTH = 16;

export interface SecondFactorDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/** The code that the user entered, which is either a code from the authenticator app or a recovery code. */
export interface SecondFactorCodes {
  readonly code?: string | undefined;
  readonly recovery_code?: string | undefined;
}

const placeOf = (personId: string): string => `second factor ${personId}`;

/** Creates a secret in three forms: as text for typing, as a URI for a QR code, and encrypted for storage. */
export function makeSecret(
  { sealer }: SecondFactorDeps,
  { tenantId, personId, email }: { tenantId: TenantId; personId: string; email: string },
) {
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ ...TOTP_OPTIONS, issuer: "Leadport", label: email, secret }).toString();
  const sealed = sealer.seal(tenantId, placeOf(personId), secret.base32);
  return { secret: secret.base32, uri, sealed };
}

/** Returns the time step of a code, or undefined if the code is not valid now. */
export function stepOf(
  { clock, sealer }: SecondFactorDeps,
  { tenantId, personId, sealed }: { tenantId: TenantId; personId: string; sealed: string },
  code: string,
): number | undefined {
  const timestamp = clock.now_ms();
  const secret = Secret.fromBase32(sealer.open(tenantId, placeOf(personId), sealed));
  const token = code.replaceAll(/\s/g, "");
  const delta = TOTP.validate({ ...TOTP_OPTIONS, secret, token, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / (TOTP_OPTIONS.period * 1000)) + delta;
}

/**
 * Checks a user's second-factor code. If it is correct, marks it as used. Returns whether it was correct. Does not
 * count wrong codes.
 */
export async function takeCode(
  { db, tenantId }: Pick<Scope<Tx>, "db" | "tenantId">,
  deps: SecondFactorDeps,
  { id, totp }: { readonly id: string; readonly totp: string },
  { code, recovery_code }: SecondFactorCodes,
): Promise<boolean> {
  if (code !== undefined) {
    const step = stepOf(deps, { tenantId, personId: id, sealed: totp }, code);
    if (step === undefined) return false;
    const taken = await run(db)`
      update people set totp_step = ${step}
       where tenant_id = ${tenantId} and id = ${id} and totp = ${totp}
         and (totp_step is null or totp_step < ${step})`;
    return taken.count === 1;
  }
  if (recovery_code === undefined) return false;
  const hash = recoveryHash(recovery_code);
  const taken = await run(db)`
    update people set recovery_code_hashes = array_remove(recovery_code_hashes, ${hash}::text)
     where tenant_id = ${tenantId} and id = ${id} and ${hash}::text = any(recovery_code_hashes)`;
  return taken.count === 1;
}

/** Hashes a recovery code. Ignores spaces, dashes and letter case. */
const recoveryHash = (code: string): string =>
  hashOf(code.toLowerCase().replaceAll(/[^a-z0-9]/g, "")).toString("hex");

const drawRecoveryCode = (): string =>
  Array.from(
    { length: RECOVERY_LENGTH },
    () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
  )
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");

/** Generates ten recovery codes and their hashes. */
export function drawRecoveryCodes() {
  const codes = Array.from({ length: RECOVERY_CODES }, drawRecoveryCode);
  return { codes, hashes: codes.map(recoveryHash) };
}
