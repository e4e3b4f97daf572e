/**
 * Partner tokens (D8.1): JWTs signed with HS256 under a key per tenant, derived from the master key.
 * They hold nothing secret and decide nothing: what a partner may do is read anew for every request.
 */

import { randomUUID } from "node:crypto";
import { decodeJwt, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { epochSeconds, type Clock } from "../platform/clock.ts";
import { AppError } from "../platform/errors.ts";
import { deriveKey, type MasterKey } from "../platform/master-key.ts";

const ALGORITHM = "HS256";
const ISSUER = "leadport";
const AUDIENCE = "partner";
const REQUIRED = ["sub", "tenant", "gen", "iat", "exp", "jti"];
/** How far the clocks of two of our processes may be apart. */
const CLOCKS_APART_s = 5;

/** How long a token is valid. */
export const TOKEN_s = 3600;

/** What a token says: which partner of which tenant, under which generation of its code. */
export interface PartnerClaims {
  readonly sub: string;
  readonly tenant: string;
  readonly gen: number;
}

const keyOf = (key: Buffer, tenantId: string): Buffer => deriveKey(key, "partner tokens", tenantId);

/** Signs under the newest master key. */
export function signPartnerToken(
  { all: [newest] }: MasterKey,
  clock: Clock,
  { sub, tenant, gen }: PartnerClaims,
): Promise<string> {
  if (newest === undefined) throw new Error("There is no master key");
  const now_s = epochSeconds(clock);
  return new SignJWT({ tenant, gen })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(sub)
    .setIssuedAt(now_s)
    .setExpirationTime(now_s + TOKEN_s)
    .setJti(randomUUID())
    .sign(keyOf(newest, tenant));
}

/**
 * What the token in a header says, signed under any of the known master keys (D11.3). Throws 401 for
 * all that is wrong with it, alike.
 */
export async function verifyPartnerToken(
  keys: MasterKey,
  clock: Clock,
  authorization: string | undefined,
): Promise<PartnerClaims> {
  const token = /^partner +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  for (const key of keys.all) {
    const claims = await verified(token, key, clock);
    if (claims !== undefined) return claims;
  }
  throw partnerUnauthenticated();
}

async function verified(
  token: string,
  key: Buffer,
  clock: Clock,
): Promise<PartnerClaims | undefined> {
  try {
    // Only the key of the tenant that a token names can have signed it.
    const { tenant } = decodeJwt(token);
    const { payload } = await jwtVerify(token, keyOf(key, String(tenant)), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: REQUIRED,
      currentDate: new Date(clock.now_ms()),
    });
    return claimsOf(payload, epochSeconds(clock));
  } catch {
    return undefined;
  }
}

function claimsOf({ sub, tenant, gen, iat }: JWTPayload, now_s: number): PartnerClaims | undefined {
  if (typeof sub !== "string" || typeof tenant !== "string" || typeof gen !== "number") {
    return undefined;
  }
  if (typeof iat !== "number" || iat > now_s + CLOCKS_APART_s) return undefined;
  return { sub, tenant, gen };
}

/** The 401 of the partner API. */
export const partnerUnauthenticated = (): AppError =>
  new AppError("unauthenticated", { headers: { "www-authenticate": 'Partner realm="leadport"' } });
