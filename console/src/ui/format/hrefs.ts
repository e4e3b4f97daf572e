/** Links that open an email or phone app. Whatever the value contains, a link leads to a single address or number. */

/**
 * Returns an email link. Without encoding, an address like `a@b.example?bcc=c@d.example` would add
 * a recipient.
 */
export const mailHref = (address: string): string =>
  `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;

export const phoneHref = (number: string): string =>
  `tel:${encodeURIComponent(number).replaceAll("%2B", "+")}`;
