/** Days as an address and a date field have them, `2026-11-21`, in the person's zone. */

export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A day; undefined for what is none. */
export const dayOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** The first and the last second of these days, as the service takes them. */
export const spanOf = ({ from, to }: Days) => ({
  start_date: from === undefined ? undefined : new Date(`${from}T00:00:00`).toISOString(),
  end_date: to === undefined ? undefined : new Date(`${to}T23:59:59`).toISOString(),
});
