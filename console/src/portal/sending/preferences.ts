/** Converts match preferences between the form and the request. */

export interface Preference {
  /** Identifies the row while it is edited. */
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

let made = 0;

export const newPreference = (): Preference => ({ id: `p${++made}`, key: "", value: "" });

/**
 * Returns a number if the input is written exactly as JSON would write that number; otherwise,
 * returns the input.
 */
export function valueOf(text: string): string | number {
  const given = text.trim();
  const value = Number(given);
  return given !== "" && String(value) === given && Number.isFinite(value) ? value : given;
}

/** Returns the object to send; null if it would be empty. Rows without a name are ignored. */
export function preferencesOf(
  rows: readonly Pick<Preference, "key" | "value">[],
): Readonly<Record<string, string | number>> | null {
  const given = rows
    .map(({ key, value }) => [key.trim(), value] as const)
    .filter(([key]) => key !== "");
  if (given.length === 0) return null;
  return Object.fromEntries(given.map(([key, value]) => [key, valueOf(value)]));
}
