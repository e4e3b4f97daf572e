/**
 * Links that open a mail program or the phone. The value always stays a single address or number.
 */

/** An email link. Without encoding, `a@b.example?bcc=c@d.example` would add a recipient. */
export const mailHref = (address: string): string =>
  `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;

export const phoneHref = (number: string): string =>
  `tel:${encodeURIComponent(number).replaceAll("%2B", "+")}`;
