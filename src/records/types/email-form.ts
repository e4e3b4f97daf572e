/** The format of email addresses that look deliverable. The console also uses it to validate input. */

const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const TOP_LABEL = String.raw`(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)`;

/**
 * Matches an unquoted local part (including RFC 6531 letters) and a domain with at least two labels, within the length
 * limits of RFC 5321.
 */
export const EMAIL_FORM = new RegExp(
  String.raw`^(?=.{1,254}$)(?=.{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?=${TOP_LABEL}$)${LABEL}$`,
  "iu",
);
