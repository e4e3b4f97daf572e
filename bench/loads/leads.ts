/**
 * Leads for measurements. The nth lead is the same in every run. Field values are distributed as
 * unevenly as in practice, because query plans depend on estimates of that distribution.
 */

import type { JsonObject } from "../../src/platform/json/json.ts";
import { LEAD_SOURCES } from "../../src/records/types/enums.ts";

type Weighted = readonly (readonly [value: string, weight: number])[];

const STATUSES: Weighted = [
  ["assigned", 51],
  ["contacted", 20],
  ["attempted", 12],
  ["open", 9],
  ["disqualified", 5],
  ["meeting-setup", 2],
  ["incorrect", 1],
];

/** The first source has a third of all leads; the last of the eighteen has one in a thousand. */
const SOURCES: Weighted = LEAD_SOURCES.map((source, at) => [source, 0.72 ** at]);

/**
 * The probability of each tag. Eight tags are common, 20 have a probability of 0.1 to 1%, and 12 occur on only a few
 * leads in 100,000.
 */
const TAGS: Weighted = [
  ...["newsletter", "spring", "autumn", "webinar", "warm", "cold", "vip", "trade-fair"].map(
    (tag, at) => [tag, 0.3 * 0.7 ** at] as const,
  ),
  ...Array.from({ length: 20 }, (_, at) => [`segment-${at + 1}`, 0.001 + at * 0.000_47] as const),
  ...Array.from({ length: 12 }, (_, at) => [`pilot-${at + 1}`, 0.000_01 * (at + 1)] as const),
];
const TAGS_MAX = 3;

const FIRST_NAMES = words(
  "Ada Alma Amir Anna Ben Carla Chen Clara David Diego Elena Emil Eva Fatima Finn Grace Hana Hugo " +
    "Ida Iris Ivan Jack Jana Joel Jonas Julia Kai Karim Lara Lena Leo Lina Luca Luis Maja Marco " +
    "Maria Max Mia Mila Nadia Nia Nina Noah Nora Olga Omar Oscar Paul Petra Rosa Ruth Sam Sara " +
    "Simon Sofia Theo Tom Vera Yara Zoe",
);
const LAST_NAMES = words(
  "Abbott Adler Baker Barros Becker Berg Bishop Blum Brandt Brooks Burke Carter Castro Chan Clark " +
    "Cole Cruz Dahl Dean Diaz Doyle Eaton Ellis Evans Farah Fischer Flores Ford Fox Frank Garcia " +
    "Gomez Grant Green Hahn Hale Hansen Harris Hart Hayes Holm Hunt Ito Jansen Jones Kane Keller " +
    "Khan Kim King Klein Koch Lane Lang Lee Lopez Lund Marsh Mason Meyer Moore Nagel Nash Novak " +
    "Olsen Ortiz Park Patel Perez Quinn Reed Reyes Rossi Russo Sato Schmidt Shah Silva Stone Tanaka " +
    "Torres Urban Vance Vega Wagner Walsh Weber West Wolf Wood Wright Yang Young Zeller Zhang Ziegler",
);
const COMPANY_WORDS = words(
  "Alder Amber Anchor Atlas Beacon Birch Bluestone Bridge Canyon Cedar Citadel Copper Coral Crescent " +
    "Delta Eagle Ember Falcon Granite Harbor Hazel Horizon Iron Juniper Lakeside Lantern Linden Maple " +
    "Meridian Mosaic North Oak Onyx Orchard Pine Prairie Quartz Raven River Sable Sierra Silver Summit " +
    "Terra Valley Vista Willow",
);
const COMPANY_ENDS = words(
  "Works Systems Partners Foods Freight Dental Legal Roofing Health Design",
);
const PROFESSIONS = words(
  "accountant architect baker builder buyer chemist consultant dentist designer doctor driver editor " +
    "electrician engineer farmer florist geologist joiner lawyer lecturer mechanic nurse optician painter " +
    "photographer pilot plumber printer realtor surveyor tailor teacher translator veterinarian writer",
);
const RANKS = words("Junior Senior Lead Chief Deputy Assistant Regional Head");
const POSTS = words("Buyer Manager Officer Analyst Director Clerk Planner Engineer Advisor Owner");
const REMARKS = [
  "Asked for a call back in the afternoon.",
  "Met at a trade fair, wants prices for two sites and a demonstration with the whole team.",
  "Was recommended by a customer of many years.",
  "Compares three offers and decides by the end of the quarter.",
  "Left a message; no one picks up before ten.",
];

/** One in this many leads has the same email address as the previous lead: 4,000 of 1,000,000. */
const DOUBLES_EVERY = 250;

/** Whether the nth lead has the same email address as the previous one. */
export const isDouble = (n: number): boolean => n % DOUBLES_EVERY === 0 && n > 0;

/** Returns the nth lead's input, as a caller would send it. */
export function leadAt(n: number): JsonObject {
  const random = randomOf(n);
  const first = pick(FIRST_NAMES, random());
  const last = pick(LAST_NAMES, random());
  const initial = String.fromCharCode(65 + Math.floor(random() * 26));
  const maybe = (value: string): string | null => (random() < 0.3 ? null : value);
  const company = `${pick(COMPANY_WORDS, random())} ${pick(COMPANY_WORDS, random())} ${pick(COMPANY_ENDS, random())}`;
  return {
    name: `${first} ${initial}. ${last}`,
    email: emailAt(isDouble(n) ? n - 1 : n),
    ...(random() < 0.85 && { phone: phoneAt(n) }),
    source: weighted(SOURCES, random()),
    status: weighted(STATUSES, random()),
    comments: remarksAt(n, random()),
    tags: tagsOf(random),
    employer_name: maybe(company),
    profession: maybe(pick(PROFESSIONS, random())),
    title: maybe(`${pick(RANKS, random())} ${pick(POSTS, random())}`),
    ...(random() < 0.3 && {
      website: `https://www.${first.toLowerCase()}-${last.toLowerCase()}.example`,
    }),
    ...(random() < 0.2 && { birth_year: 1940 + Math.floor(random() * 60) }),
    ...(random() < 0.2 && { business_need_description: pick(REMARKS, random()) }),
  };
}

/** Returns an email address in mixed case, as people type it. */
export const emailAt = (n: number): string => `Lead.${n}@mail${n % 40}.example.com`;

/** Returns a New York phone number that contains no service code (such as 211). */
export const phoneAt = (n: number): string => {
  const line = n % 7_920_000;
  const exchange = 200 + Math.floor(line / 10_000);
  return `(212) ${exchange === 211 ? 992 : exchange}-${String(line % 10_000).padStart(4, "0")}`;
};

/** Returns several remarks as one string, so that a lead's body has a size of 1.5 kB. */
function remarksAt(n: number, at: number): string {
  const later = [1, 2, 3].map((more) => REMARKS[(n + more) % REMARKS.length]);
  return [pick(REMARKS, at), ...later].join(" ");
}

function tagsOf(random: () => number): string[] {
  const tags = TAGS.filter(([, chance]) => random() < chance).map(([tag]) => tag);
  // Keep the last tags, because they are the rare ones and must keep their share.
  return tags.slice(-TAGS_MAX);
}

function words(text: string): readonly string[] {
  return text.split(" ");
}

const pick = (values: readonly string[], at: number): string =>
  values[Math.floor(at * values.length)] as string;

function weighted(values: Weighted, at: number): string {
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  let rest = at * total;
  const found = values.find(([, weight]) => (rest -= weight) < 0);
  return (found ?? values[0])?.[0] ?? "";
}

/** Returns numbers from 0 to 1 that depend on n alone (mulberry32). */
function randomOf(n: number): () => number {
  let state = Math.imul(n + 1, 0x9e37_79b1);
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
