/** The settings that the first owner is asked to review, with defaults from the browser. */

import type { Tenant } from "@leadport/client";

/** The default name of the first business. */
const UNNAMED = "default";

type Asked = Pick<Tenant, "name" | "default_country" | "timezone" | "currency">;

export interface Browser {
  /** A language tag, such as `de-AT`. */
  readonly language: string;
  /** An IANA time zone name. */
  readonly timezone: string;
}

export const isUnnamed = ({ name }: Pick<Tenant, "name">): boolean => name === UNNAMED;

/**
 * Returns the current settings. If the business has no name yet, the name is empty, and the country
 * and time zone are taken from the browser.
 */
export function settingsFrom(tenant: Asked, { language, timezone }: Browser): Asked {
  const { name, default_country, currency } = tenant;
  if (!isUnnamed(tenant)) return { name, default_country, timezone: tenant.timezone, currency };
  return {
    name: "",
    default_country: regionOf(language) ?? default_country,
    timezone: timezone || tenant.timezone,
    currency,
  };
}

/** Returns the country in a language tag; undefined if it has none. */
function regionOf(language: string): string | undefined {
  const region = new Intl.Locale(language).region;
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined;
}
