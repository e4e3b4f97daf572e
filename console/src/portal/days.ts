/** Days of the person's calendar (`YYYY-MM-DD`) as the moments that the service asks for. */

const midnight = (day: string): Date => new Date(`${day}T00:00:00`);

const nextMidnight = (day: string): Date => {
  const at = midnight(day);
  at.setDate(at.getDate() + 1);
  return at;
};

const iso = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/** The first second of a day, in UTC. */
export const startOf = (day: string): string => iso(midnight(day));

/** The last second of a day, in UTC. */
export const endOf = (day: string): string => iso(new Date(nextMidnight(day).getTime() - 1000));

/** The last second of a day, in epoch seconds. */
export const lastSecondOf = (day: string): number => nextMidnight(day).getTime() / 1000 - 1;

/** The day on which a moment lies. */
export const dayOf = (at: Date): string =>
  [
    String(at.getFullYear()).padStart(4, "0"),
    String(at.getMonth() + 1).padStart(2, "0"),
    String(at.getDate()).padStart(2, "0"),
  ].join("-");
