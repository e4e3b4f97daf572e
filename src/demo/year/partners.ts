/** Plans six partners whose leads differ in quality, and the leads that they push. */

import type { SentPartner } from "../../exchange/partners/index.ts";
import {
  type Invented,
  DUPLICATE_REJECTION,
  JUNK_NAMES,
  NEEDS,
  REJECTIONS,
  type Weighted,
} from "../invent/index.ts";
import type { Push, Pushed } from "../stage/index.ts";
import { DAY_s, YEAR_days } from "./calendar.ts";
import { leadOf } from "./lead.ts";
import { planLife } from "./leads.ts";
import type { Year } from "./year.ts";

type Outcome = "imported" | "accepted" | "rejected" | "expired";

interface DemoPartner {
  readonly settings: SentPartner & { readonly allowed_marketing_sources: readonly string[] };
  /** How many days ago the partner was created. */
  readonly since_days: number;
  /** How many days ago the partner was suspended. */
  readonly until_days?: number;
  /** The partner's share of all pushed leads. */
  readonly share: number;
  /** The share of the partner's leads that the business already has. */
  readonly known: number;
  /** The share of the partner's leads that have fake names. */
  readonly junk: number;
  readonly outcomes: Weighted<Outcome>;
  /** The probability that an imported lead of the partner agrees to a meeting once an agent has reached it. */
  readonly interest: number;
}

const ALL = ["lookup", "lookup_name", "read_leads", "read_contacts", "analytics"] as const;

const partner = (
  name: string,
  commission_rate: number,
  allowed_marketing_sources: readonly string[],
  more: Partial<SentPartner> = {},
) =>
  ({
    name,
    commission_rate,
    allowed_marketing_sources,
    permissions: ["lookup", "analytics"],
    ...more,
  }) as DemoPartner["settings"];

export const PARTNERS = {
  sunward: {
    settings: partner("Sunward Referrals", 8, ["Referral"], {
      auto_accept: true,
      permissions: [...ALL],
    }),
    since_days: 360,
    share: 0.24,
    known: 0.02,
    junk: 0,
    // This partner's leads are accepted automatically, unless they are possible duplicates.
    outcomes: [["imported", 1]],
    interest: 0.72,
  },
  greenleaf: {
    settings: partner("Greenleaf Home Advisors", 6, ["Google", "Nextdoor"]),
    since_days: 350,
    share: 0.2,
    known: 0.08,
    junk: 0.01,
    outcomes: [
      ["imported", 66],
      ["rejected", 26],
      ["expired", 8],
    ],
    interest: 0.5,
  },
  rooftop: {
    settings: partner("Rooftop Compare", 4.5, ["Google", "Bing", "Facebook"]),
    since_days: 340,
    share: 0.26,
    known: 0.12,
    junk: 0.03,
    outcomes: [
      ["imported", 46],
      ["rejected", 40],
      ["expired", 14],
    ],
    interest: 0.3,
  },
  leadflood: {
    settings: partner("LeadFlood Media", 3, ["Facebook", "TikTok", "Instagram"]),
    since_days: 250,
    share: 0.2,
    known: 0.45,
    junk: 0.22,
    outcomes: [
      ["imported", 12],
      ["rejected", 74],
      ["expired", 14],
    ],
    interest: 0.1,
  },
  cobalt: {
    settings: partner("Cobalt Energy Brokers", 5, ["Incoming-Call"]),
    since_days: 330,
    until_days: 55,
    share: 0.1,
    known: 0.2,
    junk: 0.05,
    outcomes: [
      ["imported", 30],
      ["rejected", 60],
      ["expired", 10],
    ],
    interest: 0.2,
  },
  maple: {
    settings: partner("Maple Street Realty", 7, ["Referral"]),
    since_days: 9,
    share: 0,
    known: 0,
    junk: 0,
    outcomes: [["imported", 1]],
    interest: 0.6,
  },
} as const satisfies Readonly<Record<string, DemoPartner>>;

export type PartnerName = keyof typeof PARTNERS;

/**
 * The partners' leads that are pending or accepted at the end of the year. The number of these leads is the same for
 * every size of the demo year.
 */
const RECENT: readonly (readonly [PartnerName, pushes: number, "pending" | "accepted"])[] = [
  ["maple", 4, "pending"],
  ["leadflood", 13, "pending"],
  ["rooftop", 7, "pending"],
  ["greenleaf", 3, "pending"],
  ["rooftop", 3, "accepted"],
  ["sunward", 4, "accepted"],
  ["maple", 1, "accepted"],
];

/** Plans the partners and approximately `pushes` pushed leads. */
export function planPartners(year: Year, pushes: number): void {
  const { dice, now_s, start_s } = year;
  const shares: Record<string, number> = {};
  for (const [key, one] of Object.entries(PARTNERS) as [PartnerName, DemoPartner][]) {
    const begins_s = Math.max(start_s, now_s - one.since_days * DAY_s);
    year.add(begins_s, (stage) => stage.addPartner(key, one.settings));
    const { until_days = 0 } = one;
    if (until_days > 0) {
      year.add(now_s - until_days * DAY_s, (stage) => stage.suspend(key));
    }
    const share = one.share * Math.min(1, (one.since_days - until_days) / YEAR_days);
    shares[key] = share;
  }
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  for (const [key, share] of Object.entries(shares)) {
    const { since_days, until_days = 0, outcomes }: DemoPartner = PARTNERS[key as PartnerName];
    // This is enough for at least one lead with each outcome, even in the smallest year.
    const count = share === 0 ? 0 : Math.max(8, Math.round((pushes * share) / total));
    const remaining = outcomes.map(([outcome]): Outcome => outcome);
    for (let planned = 0; planned < count;) {
      const at_s = year.arrival();
      const age_days = (now_s - at_s) / DAY_s;
      if (age_days > since_days - 1 || age_days < until_days + 1) {
        if (dice.happens(0.9)) continue;
      } else planPush(year, key as PartnerName, { at_s, certain: remaining.shift() });
      planned += 1;
    }
  }
  for (const [key, count, state] of RECENT) {
    for (let planned = 0; planned < count; planned += 1) {
      // The first lead arrives while the endpoint of the chat webhook is down (webhooks.ts). As a result, the demo data
      // contains a pending delivery.
      const newest_days = planned === 0 ? 0.3 : 2;
      const age_days = state === "pending" ? dice.between(0.05, newest_days) : dice.between(1, 5);
      planRecent(year, key, now_s - age_days * DAY_s, state);
    }
  }
}

interface Planned {
  readonly push: Push;
  readonly invented: Invented;
  readonly isKnown: boolean;
  readonly isJunk: boolean;
}

/** Creates a lead for a partner to push. */
function pushOf(year: Year, key: PartnerName, at_s: number): Planned {
  const { dice } = year;
  const { settings, known, junk }: DemoPartner = PARTNERS[key];
  const found = dice.happens(known) ? year.knownAt(at_s) : undefined;
  const invented = found ?? year.person();
  const isJunk = found === undefined && dice.happens(junk);
  const { phone, email } = invented;
  const push = {
    name: isJunk ? dice.pick(JUNK_NAMES) : invented.name,
    email: email ?? null,
    phone: phone ?? null,
    source: dice.pick(settings.allowed_marketing_sources),
    comments: dice.happens(0.5) ? dice.pick(NEEDS) : null,
    match_preferences: dice.happens(0.4)
      ? {
          roof: dice.pick(["pitched", "flat", "ground"]),
          monthly_bill_usd: dice.whole(8, 60) * 10,
          wants_battery: dice.happens(0.4),
        }
      : null,
  };
  return { push, invented, isKnown: found !== undefined, isJunk };
}

interface Arriving {
  readonly at_s: number;
  /** The outcome of the lead. If undefined, it is random. */
  readonly certain: Outcome | undefined;
}

function planPush(year: Year, key: PartnerName, { at_s, certain }: Arriving): void {
  const { dice, now_s } = year;
  const one: DemoPartner = PARTNERS[key];
  const planned = pushOf(year, key, at_s);
  const { push, isKnown, isJunk } = planned;
  const isRefused = (isKnown || isJunk) && dice.happens(0.9);
  const outcome = certain ?? (isRefused ? "rejected" : dice.weighted(one.outcomes));
  const pushed: Pushed = {};
  if (outcome === "expired") {
    const expires_s = Math.floor(at_s + dice.between(3, 14) * DAY_s);
    const expiring = { ...push, expiration_date: expires_s };
    year.add(at_s, (stage) =>
      expires_s < now_s
        ? stage.pushInVain(key, expiring, expires_s)
        : stage.push(key, expiring, pushed),
    );
    return;
  }
  year.add(at_s, (stage) => stage.push(key, push, pushed));
  const decided_s = year.later(at_s, [1.5, 60]);
  if (outcome === "rejected") {
    const reason = isKnown ? DUPLICATE_REJECTION : dice.pick(REJECTIONS);
    year.add(decided_s, (stage) => stage.reject(pushed, reason, "kenji"));
    return;
  }
  planImport(year, key, { planned, pushed, decided_s });
}

interface Importing {
  readonly planned: Planned;
  readonly pushed: Pushed;
  readonly decided_s: number;
}

/** Plans the acceptance and import of a pushed lead, and the history of the imported lead. */
function planImport(year: Year, key: PartnerName, importing: Importing): void {
  const { dice } = year;
  const { planned, pushed, decided_s } = importing;
  const { push, invented } = planned;
  const by = dice.happens(0.6) ? "kenji" : "maya";
  year.add(decided_s, (stage) => stage.accept(pushed, by));
  const imported_s = year.later(decided_s, [0.1, 30]);
  const seller = "hannah";
  const lead = leadOf(year, invented, { source: push.source ?? "Unknown", seller });
  year.add(imported_s, async (stage) => {
    const id = await stage.import(pushed, by);
    if (id !== undefined) lead.id = id;
  });
  if (!planned.isKnown) year.know({ invented, since_s: imported_s });
  const { interest }: DemoPartner = PARTNERS[key];
  planLife(year, lead, { at_s: imported_s, interest, isAssigned: true });
}

/** Plans a pushed lead that is still pending, or accepted but not imported. */
function planRecent(
  year: Year,
  key: PartnerName,
  at_s: number,
  state: "pending" | "accepted",
): void {
  const { dice, now_s } = year;
  const { push } = pushOf(year, key, at_s);
  const expires = dice.happens(0.6) && {
    expiration_date: Math.floor(now_s + dice.between(1, 12) * DAY_s),
  };
  const pushed: Pushed = {};
  year.add(at_s, (stage) => stage.push(key, { ...push, ...expires }, pushed));
  if (state === "accepted") {
    year.add(dice.between(at_s + 600, now_s - 60), (stage) => stage.accept(pushed, "kenji"));
  }
}
