/**
 * Social security numbers are encrypted with AES-256-GCM and the tenant's key. The tenant and record are authenticated, so a ciphertext that is copied to another
 * row cannot be decrypted.
 */

import type { Sealer } from "../../platform/secrets/index.ts";

/** Formats a number for storage and for revealing it: `123456789` → `123-45-6789`. */
export const spellSsn = (ssn: string): string => {
  const digits = ssn.replaceAll("-", "");
  return `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
};

const place = (recordId: string): string => `ssn of ${recordId}`;

export const sealSsn = (sealer: Sealer, tenantId: string, recordId: string, ssn: string): string =>
  sealer.seal(tenantId, place(recordId), spellSsn(ssn));

export const openSsn = (
  sealer: Sealer,
  tenantId: string,
  recordId: string,
  sealed: string,
): string => sealer.open(tenantId, place(recordId), sealed);
