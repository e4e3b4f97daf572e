/** Match preferences as they are typed and as they are sent. */

export interface Preference {
  /** Tells the rows apart while they are typed. */
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

let made = 0;

export const newPreference = (): Preference => ({ id: `p${++made}`, key: "", value: "" });

/** A number where the text is one as it would be written; else the text. */
export function valueOf(text: string): string | number {
  const given = text.trim();
  const value = Number(given);
  return given !== "" && String(value) === given && Number.isFinite(value) ? value : given;
}

/** The object that is sent; null where there is nothing. Rows without name and value are none. */
export function preferencesOf(
  rows: readonly Pick<Preference, "key" | "value">[],
): Readonly<Record<string, string | number>> | null {
  const given = rows
    .map(({ key, value }) => [key.trim(), value] as const)
    .filter(([key]) => key !== "");
  if (given.length === 0) return null;
  return Object.fromEntries(given.map(([key, value]) => [key, valueOf(value)]));
}
