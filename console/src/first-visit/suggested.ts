/** The settings that the first owner is asked for, with defaults from the browser. */

import type { Tenant } from "@leadport/client";

/** The default name of the first business. */
const UNNAMED = "default";

type Asked = Pick<Tenant, "name" | "default_country" | "timezone" | "currency">;

export interface Browser {
  /** A language tag, such as `de-AT`. */
  readonly language: string;
  /** An IANA name. */
  readonly timezone: string;
}

export const isUnnamed = ({ name }: Pick<Tenant, "name">): boolean => name === UNNAMED;

/**
 * Returns the current settings. If the business has no name yet, the name is left empty, and country and
 * time zone come from the browser.
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

/** Returns the country of a language tag; undefined if it has none. */
function regionOf(language: string): string | undefined {
  const region = new Intl.Locale(language).region;
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined;
}
