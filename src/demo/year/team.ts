/** The users of the demo business, and the tokens of its other systems. */

import type { Member, Program } from "../stage/index.ts";
import { DAY_s } from "./calendar.ts";
import type { Year } from "./year.ts";

interface Employee extends Member {
  /** How many days ago the user was invited. */
  readonly since_days: number;
}

const employee = (
  name: string,
  role: Member["role"],
  since_days: number,
  hasJoined = true,
): Employee => ({
  name,
  role,
  since_days,
  hasJoined,
  email: `${name.toLowerCase().replaceAll(/[^a-z]+/g, ".")}@brightfield.example.com`,
});

export const TEAM = {
  maya: employee("Maya Ellison", "admin", 365),
  daniel: employee("Daniel Reyes", "agent", 365),
  hannah: employee("Hannah Ogilvie", "agent", 365),
  rosa: employee("Rosa Feldman", "agent", 365),
  kenji: employee("Kenji Morita", "reviewer", 365),
  priya: employee("Priya Nair", "agent", 210),
  tomas: employee("Tomas Oliveira", "viewer", 2, false),
};

export type MemberName = keyof typeof TEAM;

/** How many days ago the team member Rosa left the business. */
const LEFT_days = 120;

export const PROGRAMS = {
  form: { name: "Website form", person: "hannah", permissions: ["records:write"] },
  phone: { name: "Phone system", person: "daniel", permissions: ["records:write"] },
  newsletter: { name: "Newsletter sync", person: "maya", permissions: ["records:write"] },
  warehouse: { name: "Data warehouse", person: "maya", permissions: ["records:read"] },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof PROGRAMS;

/** An actor in the plan: the owner, another member of the team, or a program. */
export type ActorName = "owner" | MemberName | ProgramName;

/** Selects a lead's seller at random. The probabilities depend on the time. */
export function sellerAt({ dice, now_s }: Year, at_s: number): MemberName {
  const age_days = (now_s - at_s) / DAY_s;
  return dice.weighted([
    ["daniel", 4],
    ["hannah", 5],
    ["rosa", age_days > LEFT_days + 5 ? 4 : 0],
    ["priya", age_days < TEAM.priya.since_days - 5 ? 4 : 0],
  ] as const);
}

/** Plans how users join, sign in and leave, and how other systems get tokens. */
export function planTeam(year: Year): void {
  const { dice, now_s, start_s } = year;
  for (const [name, one] of Object.entries(TEAM)) {
    const { since_days } = one;
    const at_s = Math.max(start_s, now_s - since_days * DAY_s);
    year.add(at_s, (stage) => stage.join(name, one));
  }
  for (const [name, program] of Object.entries(PROGRAMS)) {
    year.add(start_s, (stage) => stage.addProgram(name, program));
    year.add(now_s - dice.between(60, 7200), (stage) => stage.useProgram(name));
  }
  year.add(now_s - LEFT_days * DAY_s, (stage) => stage.leave("rosa", "priya"));
  for (const [name, { since_days, hasJoined }] of Object.entries(TEAM)) {
    if (!hasJoined || name === "rosa") continue;
    for (let days = Math.min(since_days, 30) - 1; days > 0; days -= dice.whole(1, 3)) {
      const at_s = year.later(now_s - days * DAY_s, [0, 6]);
      year.add(at_s, (stage) => stage.signIn(name));
    }
  }
}
