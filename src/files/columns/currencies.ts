/**
 * Finds currencies in a file that differ from the tenant's. Amounts are stored without a currency and are not
 * converted.
 */

import { remember } from "../../platform/cache/index.ts";
import { plainName } from "../headings/index.ts";

/** Names of columns with currency codes, optionally preceded by a word ("Deal Currency"). */
const COLUMN = /^(?:\w*currency)(?:code|isocode|iso)?$/;

/** Returns the columns that contain a row's currency. */
export const currencyColumns = (headings: readonly string[]): readonly string[] =>
  headings.filter((heading) => COLUMN.test(plainName(heading)));

const CODES = new Set(Intl.supportedValuesOf("currency"));
const SIGNS = remember<ReadonlySet<string>>(CODES.size);

/** Returns the signs of a currency, such as `$` and `US$` for USD. */
function signsOf(currency: string): ReadonlySet<string> {
  const displays = ["symbol", "narrowSymbol"] as const;
  const signs = displays.flatMap((currencyDisplay) =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay })
      .formatToParts(0)
      .filter(({ type }) => type === "currency")
      .flatMap(({ value }) => /\p{Sc}/u.exec(value)?.[0] ?? []),
  );
  return new Set(signs);
}

const NAMED = /^([A-Z]{3})(?=[\s\d(+-]|$)|(?<=[\s\d)])([A-Z]{3})$/;

/** Returns the currency code or sign in a string, or undefined if it has none or only the tenant's own currency. */
export function otherCurrency(text: string, own: string): string | undefined {
  const plain = text.trim();
  const [, before, after] = NAMED.exec(plain) ?? [];
  const code = before ?? after;
  if (code !== undefined && CODES.has(code)) return code === own ? undefined : code;
  const sign = /\p{Sc}/u.exec(plain)?.[0];
  return sign === undefined || SIGNS(own, () => signsOf(own)).has(sign) ? undefined : sign;
}
