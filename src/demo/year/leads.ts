/** Plans the history of leads: a lead arrives, an agent calls, and the lead becomes a customer or is disqualified. */

import type { JsonObject } from "../../platform/json/index.ts";
import { COMMENTS, LEAD_TAGS, NEEDS, PROFESSIONS, TITLES, type Weighted } from "../invent/index.ts";
import { DAY_s } from "./calendar.ts";
import { planDeal } from "./deals.ts";
import { type Lead, leadOf } from "./lead.ts";
import { type ActorName, sellerAt } from "./team.ts";
import { planTask } from "./tasks.ts";
import type { Year } from "./year.ts";

const SOURCES: Weighted<string> = [
  ["Google", 30],
  ["Facebook", 12],
  ["Referral", 11],
  ["Incoming-Call", 10],
  ["Instagram", 7],
  ["Yelp", 6],
  ["Nextdoor", 6],
  ["Linkedin", 5],
  ["Bing", 4],
  ["Youtube", 3],
  ["Billboard Ad", 3],
  ["TikTok", 2],
  ["Unknown", 1],
];

/** The program that creates the leads from each source. */
const PROGRAM_OF: Readonly<Record<string, ActorName>> = {
  Google: "form",
  Bing: "form",
  Facebook: "form",
  Instagram: "form",
  "Incoming-Call": "phone",
  Linkedin: "newsletter",
};

/** The share of leads that come from people who have contacted the business before. */
const AGAIN_SHARE = 0.015;
/** The probability that a lead agrees to a meeting once an agent has reached it. */
const INTEREST = 0.42;

/**
 * The ages, in days, of leads that are created for every size of the demo year, so that webhooks always have events to
 * deliver.
 */
const CERTAIN_days = [0.3, 2.3, 4.3, 6.3, 8.3, 10.3, 12.3];

/** Plans leads that do not come from a partner, and their history. */
export const planLeads = (year: Year, count: number): readonly Lead[] =>
  Array.from({ length: count }, (_, planned) => {
    const age_days = CERTAIN_days[planned];
    return planArrival(
      year,
      age_days === undefined ? year.arrival() : year.now_s - age_days * DAY_s,
    );
  });

function planArrival(year: Year, at_s: number): Lead {
  const { dice } = year;
  const again = dice.happens(AGAIN_SHARE) ? year.knownAt(at_s) : undefined;
  const lead = leadOf(year, again ?? year.person(), {
    source: dice.weighted(SOURCES),
    seller: sellerAt(year, at_s),
  });
  if (again === undefined) year.know({ invented: lead.invented, since_s: at_s });
  const program = PROGRAM_OF[lead.source];
  const input = leadInput(year, lead, program === undefined ? "assigned" : "open");
  year.add(at_s, async (stage) => {
    lead.id = await stage.create("lead", input, program ?? lead.seller);
  });
  planLife(year, lead, { at_s, interest: INTEREST, isAssigned: program === undefined });
  return lead;
}

function leadInput({ dice }: Year, lead: Lead, status: string): JsonObject {
  const { invented, company, source } = lead;
  const { name, mailbox, phone, email } = invented;
  const tags = [
    company === undefined ? "home" : "company",
    ...LEAD_TAGS.filter(([, of20]) => dice.happens(of20 / 20)).map(([tag]) => tag),
  ];
  return {
    name,
    ...(email !== undefined && {
      email: company === undefined ? email : `${mailbox}@${company.domain}`,
    }),
    ...(phone !== undefined && { phone }),
    source,
    status,
    tags: dice.happens(0.6) ? tags : [],
    ...(company === undefined
      ? dice.happens(0.3) && { profession: dice.pick(PROFESSIONS) }
      : { employer_name: company.name, title: dice.pick(TITLES), website: company.website }),
    ...(dice.happens(0.35) && { business_need_description: dice.pick(NEEDS) }),
  };
}

interface LeadStart {
  readonly at_s: number;
  /** The probability that the lead agrees to a meeting once an agent has reached it. */
  readonly interest: number;
  /** Whether the lead is already assigned. */
  readonly isAssigned: boolean;
}

/** Plans the history of a lead up to now. */
export function planLife(year: Year, lead: Lead, { interest, ...start }: LeadStart): void {
  const { dice } = year;
  let at_s = start.at_s;
  const notes: string[] = [];
  /** Plans a status change some hours later, with a note. */
  const move = (
    status: keyof typeof COMMENTS | "assigned",
    hours: readonly [number, number],
  ): void => {
    at_s = year.later(at_s, hours);
    if (status !== "assigned") notes.push(dice.pick(COMMENTS[status]));
    const input = { status, ...(notes.length > 0 && { comments: notes.join("\n") }) };
    year.add(at_s, (stage) => stage.patch("lead", lead.id, input, lead.seller));
  };
  if (!start.isAssigned) move("assigned", [0.2, 20]);
  if (dice.happens(0.05)) return;
  if (dice.happens(0.08)) planTask(year, lead, at_s, "lead");
  move("attempted", [0.5, 30]);
  if (dice.happens(0.25)) return move(dice.happens(0.2) ? "incorrect" : "disqualified", [90, 500]);
  move("contacted", [1, 60]);
  if (!dice.happens(interest)) {
    if (dice.happens(0.7)) move("disqualified", [48, 600]);
    return;
  }
  move("meeting-setup", [4, 140]);
  if (dice.happens(0.25)) return move("disqualified", [48, 300]);
  planConversion(year, lead, year.later(at_s, [24, 260]));
}

/** Plans the conversion of a lead into a contact, an account and a deal. */
function planConversion(year: Year, lead: Lead, at_s: number): void {
  const { account, deal, prepare } = planDeal(year, lead, at_s);
  year.add(at_s, async (stage) => {
    if (lead.id === undefined) return;
    const known = lead.company?.account_id;
    const into = known === undefined ? { account } : { account_id: known };
    const made = await stage.convert(lead.id, { ...into, deal }, lead.seller);
    Object.assign(lead, made);
    if (lead.company !== undefined && made.account_id !== undefined) {
      lead.company.account_id = made.account_id;
    }
  });
  prepare();
}

/** Plans pairs of leads for the same person and the merge of each pair. */
export function planMerges(year: Year, count: number): void {
  const { dice, now_s, start_s } = year;
  for (let planned = 0; planned < count; planned += 1) {
    const at_s = year.later(dice.between(start_s + 30 * DAY_s, now_s - 2 * DAY_s), [0, 5]);
    const seller = sellerAt(year, at_s);
    const lead = leadOf(year, year.person(), { source: "Referral", seller });
    const ids: string[] = [];
    for (const [hours, by] of [
      [0, "form"],
      [20, seller],
    ] as const) {
      const input = leadInput(year, lead, "open");
      year.add(at_s - (30 - hours) * 3600, async (stage) => {
        ids.push(await stage.create("lead", input, by));
      });
    }
    year.add(at_s, (stage) => stage.merge("lead", ids, seller));
  }
}
