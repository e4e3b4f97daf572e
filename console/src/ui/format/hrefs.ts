/** Links that open a mail program or a telephone: what a record holds stays one address or number. */

/** An address in a link; without encoding, `a@b.example?bcc=c@d.example` would add a recipient. */
export const mailHref = (address: string): string =>
  `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;

export const phoneHref = (number: string): string =>
  `tel:${encodeURIComponent(number).replaceAll("%2B", "+")}`;
