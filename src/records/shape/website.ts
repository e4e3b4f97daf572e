/** The domain of a website, by which files name accounts. */

import mailProviders from "email-providers/all.json" with { type: "json" };

/** Hosts on which many companies have pages: none of them is one company's domain. */
const SHARED_HOSTS = [
  ["facebook.com", "instagram.com", "linkedin.com", "twitter.com", "x.com", "youtube.com"],
  ["tiktok.com", "xing.com", "github.com", "google.com", "sites.google.com", "linktr.ee"],
].flat();

/** Reserved for examples and demonstrations; the list of mail providers has them too. */
const EXAMPLES = ["example.com", "example.net", "example.org"];

const NOBODYS_DOMAINS: ReadonlySet<string> = new Set(
  [...mailProviders, ...SHARED_HOSTS].filter((domain) => !EXAMPLES.includes(domain)),
);

/** The same as the function website_domain of the database. */
const WEBSITE =
  /^\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:\/\/)?(?:[wW]{3}\.)?([^\s/:?#@]+\.[^\s/:?#@.0-9][^\s/:?#@.]+)\.?(?:[/:?#]|\s*$)/;
/** What is looked at of a text: no domain is longer. */
const READ_CHARACTERS = 300;

/**
 * The domain that a text names, without `www.`: of "https://www.acme.example/en", "acme.example".
 * Undefined if the text is no address of a website.
 */
export function websiteDomain(text: string): string | undefined {
  const [, host] = WEBSITE.exec(text.slice(0, READ_CHARACTERS)) ?? [];
  return host?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The domain that a text names, if it can be that of one company: not of a mail provider. */
export function companyDomain(text: string): string | undefined {
  const domain = websiteDomain(text);
  return domain === undefined || NOBODYS_DOMAINS.has(domain) ? undefined : domain;
}
