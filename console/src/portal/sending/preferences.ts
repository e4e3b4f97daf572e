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
 * Converts the input to a number if JSON would write that number in exactly the same way.
 * Otherwise, returns the input unchanged.
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
