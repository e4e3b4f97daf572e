/** Decides whether to warn about an email address. */

const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const TOP_LABEL = String.raw`(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)`;

/** The same pattern as in the service. A test compares the two. */
const EMAIL_FORM = new RegExp(
  String.raw`^(?=.{1,254}$)(?=.{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?=${TOP_LABEL}$)${LABEL}$`,
  "iu",
);

/**
 * Whether an address looks deliverable, by the same rule as in the service. The service stores any
 * address, so this is only used for a warning.
 */
export const looksDeliverable = (email: string): boolean => EMAIL_FORM.test(email.trim());
