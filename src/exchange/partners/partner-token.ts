/**
 * Partner tokens: JSON Web Tokens (RFC 7519), signed using HMAC-SHA-256 with a tenant-specific key that is derived from
 * the master key. The newest master key signs tokens; all known master keys verify them.
 */

import { randomUUID } from "node:crypto";
import { decodeJwt, jwtVerify, SignJWT } from "jose";
import type { TenantId } from "../../audit/index.ts";
import { epochSeconds, type Clock } from "../../platform/clock/index.ts";
import { deriveKey, type MasterKey, eachKey, type Keys } from "../../platform/secrets/index.ts";
import type { Partner } from "./partner-bodies.ts";

export const LIFETIME_s = 3600;
/** A partner who signs in to the portal must enter the access code again after this time. */
const SIGNED_IN_s = 12 * 3600;

const ALGORITHM = "HS256";
const ISSUER = "leadport";
const AUDIENCE = "partner";
/** The maximum expected clock difference between two processes. */
const CLOCK_SKEW_MAX_s = 5;
const VERIFIED_MAX = 10_000;

/** The partner that a token was issued to, and the generation of its access code. */
export interface TokenClaims {
  readonly tenantId: TenantId;
  readonly partnerId: string;
  readonly generation: number;
  /**
   * When the access code was entered, in epoch seconds (`auth_time`). Present only in tokens that the portal can renew.
   */
  readonly signedIn_ts?: number;
}

/** A token for the portal's cookie. */
export interface PortalToken {
  readonly token: string;
  readonly expires_ts: number;
}

/** The claims that Leadport adds to the standard ones. */
interface OwnClaims {
  readonly tenant: TenantId;
  readonly gen: number;
  readonly auth_time?: number;
}

/** The claims of a token that Leadport issued, and when it expires. */
interface Verified {
  readonly claims: TokenClaims;
  readonly until_ms: number;
}

export interface PartnerTokens {
  readonly issue: (
    tenantId: TenantId,
    partner: Pick<Partner, "id" | "generation">,
  ) => Promise<string>;
  /**
   * Issues a token that can be renewed until 12 hours after the access code was entered. Returns undefined after that.
   */
  readonly issueForPortal: (
    tenantId: TenantId,
    partner: Pick<Partner, "id" | "generation">,
    signedIn_ts: number,
  ) => Promise<PortalToken | undefined>;
  /** Returns the token's claims, or undefined if the token has expired or was not issued by Leadport. */
  readonly verify: (token: string) => Promise<TokenClaims | undefined>;
}

export function createPartnerTokens(keys: MasterKey, clock: Clock): PartnerTokens {
  const keysOf = (tenantId: string): Keys<Buffer> =>
    eachKey(keys, (key) => deriveKey(key, "partner tokens", tenantId));

  const verifyWith = async (token: string, key: Buffer): Promise<Verified> => {
    const { payload } = await jwtVerify<OwnClaims>(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: new Date(clock.now_ms()),
      requiredClaims: ["sub", "tenant", "gen", "iat", "exp", "jti"],
    });
    const { sub, tenant, gen, auth_time, iat = Infinity, exp = 0 } = payload;
    if (iat > epochSeconds(clock) + CLOCK_SKEW_MAX_s) throw new Error("Issued in the future");
    if (!Number.isSafeInteger(gen)) throw new Error("Issued without an access code");
    return {
      claims: {
        tenantId: tenant,
        partnerId: String(sub),
        generation: gen,
        ...(auth_time !== undefined && { signedIn_ts: auth_time }),
      },
      until_ms: exp * 1000,
    };
  };

  /** Caches verified tokens until they expire, so that each token's signature is verified only once. */
  const verified = new Map<string, Verified>();

  const verify = async (token: string): Promise<Verified | undefined> => {
    const tenantId = claimedTenant(token);
    if (tenantId === undefined) return undefined;
    for (const key of keysOf(tenantId)) {
      try {
        return await verifyWith(token, key);
      } catch {
        // The token is not valid with this key. Try the next one.
      }
    }
    return undefined;
  };

  const sign = (
    tenantId: TenantId,
    { id, generation }: Pick<Partner, "id" | "generation">,
    claims: { readonly exp: number; readonly auth_time?: number },
  ): Promise<string> =>
    new SignJWT({ tenant: tenantId, gen: generation, ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(id)
      .setIssuedAt(epochSeconds(clock))
      .setJti(randomUUID())
      .sign(keysOf(tenantId)[0]);

  return {
    issue: (tenantId, partner) =>
      sign(tenantId, partner, { exp: epochSeconds(clock) + LIFETIME_s }),
    issueForPortal: async (tenantId, partner, signedIn_ts) => {
      const now_s = epochSeconds(clock);
      const expires_ts = Math.min(now_s + LIFETIME_s, signedIn_ts + SIGNED_IN_s);
      if (expires_ts <= now_s) return undefined;
      const claims = { exp: expires_ts, auth_time: signedIn_ts };
      return { token: await sign(tenantId, partner, claims), expires_ts };
    },
    verify: async (token) => {
      const now_ms = clock.now_ms();
      const known = verified.get(token);
      if (known !== undefined && now_ms < known.until_ms) return known.claims;
      const found = await verify(token);
      if (found === undefined) return undefined;
      if (verified.size >= VERIFIED_MAX) verified.clear();
      verified.set(token, found);
      return found.claims;
    },
  };
}

/** Reads the tenant from an unverified token, only to find the tenant's key. */
function claimedTenant(token: string): string | undefined {
  try {
    const { tenant } = decodeJwt(token);
    return typeof tenant === "string" && tenant.length <= 100 ? tenant : undefined;
  } catch {
    return undefined;
  }
}
