/** Website domains, which files can use to refer to accounts. */

import mailProviders from "email-providers/all.json" with { type: "json" };

/** Hosts where many companies have pages. They do not identify a company. */
const SHARED_HOSTS = [
  ["facebook.com", "instagram.com", "linkedin.com", "twitter.com", "x.com", "youtube.com"],
  ["tiktok.com", "xing.com", "github.com", "google.com", "sites.google.com", "linktr.ee"],
].flat();

/**
 * Domains reserved for examples. They are in the list of mail providers, but demo data uses them as company domains.
 */
const EXAMPLES = ["example.com", "example.net", "example.org"];

const SHARED_DOMAINS: ReadonlySet<string> = new Set(
  [...mailProviders, ...SHARED_HOSTS].filter((domain) => !EXAMPLES.includes(domain)),
);

/** The same pattern as in the database function website_domain. */
const WEBSITE =
  /^\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:\/\/)?(?:[wW]{3}\.)?([^\s/:?#@]+\.[^\s/:?#@.0-9][^\s/:?#@.]+)\.?(?:[/:?#]|\s*$)/;
/** Maximum number of characters to examine. Domains are shorter. */
const READ_CHARACTERS = 300;

/**
 * Returns the domain in a string without `www.`, such as "acme.example" for "https://www.acme.example/en". Returns
 * undefined if the string is not a website address.
 */
export function websiteDomain(text: string): string | undefined {
  const [, host] = WEBSITE.exec(text.slice(0, READ_CHARACTERS)) ?? [];
  return host?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns the domain in a string if it can identify a single company. Returns undefined for mail providers and shared
 * hosts.
 */
export function companyDomain(text: string): string | undefined {
  const domain = websiteDomain(text);
  return domain === undefined || SHARED_DOMAINS.has(domain) ? undefined : domain;
}
