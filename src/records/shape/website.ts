/** The domains of websites, by which files refer to accounts. */

import mailProviders from "email-providers/all.json" with { type: "json" };

/** Hosts with pages of many companies, which do not identify a single one. */
const SHARED_HOSTS = [
  ["facebook.com", "instagram.com", "linkedin.com", "twitter.com", "x.com", "youtube.com"],
  ["tiktok.com", "xing.com", "github.com", "google.com", "sites.google.com", "linktr.ee"],
].flat();

/** Reserved for examples; the list of mail providers contains them, but demos need them. */
const EXAMPLES = ["example.com", "example.net", "example.org"];

const SHARED_DOMAINS: ReadonlySet<string> = new Set(
  [...mailProviders, ...SHARED_HOSTS].filter((domain) => !EXAMPLES.includes(domain)),
);

/** The same pattern as the database function website_domain. */
const WEBSITE =
  /^\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:\/\/)?(?:[wW]{3}\.)?([^\s/:?#@]+\.[^\s/:?#@.0-9][^\s/:?#@.]+)\.?(?:[/:?#]|\s*$)/;
/** How much of a text is read. No domain is longer. */
const READ_CHARACTERS = 300;

/**
 * The domain in a text without `www.`: "acme.example" for "https://www.acme.example/en". Undefined
 * if the text is not a website address.
 */
export function websiteDomain(text: string): string | undefined {
  const [, host] = WEBSITE.exec(text.slice(0, READ_CHARACTERS)) ?? [];
  return host?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The domain in a text if it can identify a single company; undefined for mail providers. */
export function companyDomain(text: string): string | undefined {
  const domain = websiteDomain(text);
  return domain === undefined || SHARED_DOMAINS.has(domain) ? undefined : domain;
}
