/**
 * The plan of the demo year: its steps in chronological order. All random choices are made during planning, so the same
 * seed creates the same year. Steps after the current time are omitted, so that some deals are still open and some
 * tasks are still due.
 */

import {
  type Company,
  createCompanies,
  createDice,
  createPeople,
  type Dice,
  type Invented,
} from "../invent/index.ts";
import type { Stage } from "../stage/index.ts";
import { createArrivals, DAY_s, inOfficeHours, YEAR_days } from "./calendar.ts";

export interface Step {
  readonly at_s: number;
  readonly run: (stage: Stage) => Promise<unknown>;
}

/** A company and, once it has been created, its account. */
export interface KnownCompany extends Company {
  account_id?: string;
}

/** A person, and the time of their first contact with the business. */
interface Known {
  readonly invented: Invented;
  readonly since_s: number;
}

export interface Year {
  readonly dice: Dice;
  readonly start_s: number;
  readonly now_s: number;
  readonly steps: readonly Step[];
  /** Plans a step, unless its time is in the future. Returns whether it was planned. */
  readonly add: (at_s: number, run: Step["run"]) => boolean;
  /** Returns a random time in office hours, some hours after another time. */
  readonly later: (at_s: number, hours: readonly [least: number, most: number]) => number;
  /** Returns a random time at which a lead arrives. */
  readonly arrival: () => number;
  readonly person: () => Invented;
  readonly company: () => KnownCompany;
  readonly know: (known: Known) => void;
  /** Returns a random person that the business knows at a given time; undefined if there is none. */
  readonly knownAt: (at_s: number) => Invented | undefined;
}

export function createYear(seed: number, now_s: number): Year {
  const dice = createDice(seed);
  const start_s = now_s - YEAR_days * DAY_s;
  const steps: Step[] = [];
  const companies: KnownCompany[] = [];
  const known: Known[] = [];
  const inventCompany = createCompanies(dice);
  return {
    dice,
    start_s,
    now_s,
    steps,
    add: (at_s, run) => {
      if (at_s >= now_s) return false;
      steps.push({ at_s: Math.max(Math.floor(at_s), start_s), run });
      return true;
    },
    later: (at_s, [least, most]) => {
      const hours = dice.between(least, most);
      return inOfficeHours(at_s + hours * 3600, dice);
    },
    arrival: createArrivals(now_s, dice),
    person: createPeople(dice),
    company: () => {
      if (companies.length > 0 && dice.happens(0.2)) return dice.pick(companies);
      const company = inventCompany();
      companies.push(company);
      return company;
    },
    know: (one) => void known.push(one),
    knownAt: (at_s) => {
      for (let tries = 0; tries < 10 && known.length > 0; tries += 1) {
        const { invented, since_s } = dice.pick(known);
        if (since_s < at_s - DAY_s) return invented;
      }
      return undefined;
    },
  };
}
