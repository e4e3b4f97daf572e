/** Plans webhooks whose endpoints work, fail for a while, are down, or no longer exist. */

import { OutgoingError } from "../../platform/outgoing/index.ts";
import type { Attempted, DemoWebhook, Reply } from "../stage/index.ts";
import { createDice, type Dice } from "../invent/index.ts";
import { DAY_s, HOUR_s } from "./calendar.ts";
import type { PartnerName } from "./partners.ts";
import type { Step, Year } from "./year.ts";

interface Endpoint extends DemoWebhook {
  readonly partner?: PartnerName;
  /** How many days ago the webhook was added. */
  readonly since_days: number;
  /** Returns the response to an attempt. `age_h` is how long ago the attempt was made, in hours. */
  readonly reply: (attempted: Attempted & { readonly age_h: number }, dice: Dice) => Reply;
}

/**
 * The number of days that have deliveries. This is shorter than DELIVERY_RETENTION_DAYS, which is one month by default.
 */
const SHOWN_days = 14;

const accepted = (dice: Dice): Reply => ({
  status: 200,
  body: '{"ok":true}',
  duration_ms: Math.round(dice.around(140, 2)),
});
const failed = (status: number, body: string): Reply => ({ status, body, duration_ms: 85 });
const unreachable = (fault: "connection" | "timeout", duration_ms: number): Reply => ({
  error: new OutgoingError(fault, "Demo data sends no requests."),
  duration_ms,
});

/**
 * The endpoints. All of them are in the domain .invalid, which never resolves (RFC 2606), so no request can reach
 * anyone.
 */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  sync: {
    url: "https://crm-sync.invalid/leadport",
    events: ["lead.created", "lead.converted", "deal.stage_changed"],
    description: "Keeps the phone system up to date",
    since_days: 310,
    reply: ({ age_h, isFirst, fate }, dice) => {
      const wasDown = age_h > 170 && age_h < 179;
      if (wasDown && dice.happens(0.8)) return failed(503, "Service Unavailable");
      return isFirst || fate < 0.012 ? failed(422, '{"error":"unknown field"}') : accepted(dice);
    },
  },
  chat: {
    url: "https://chat.invalid/hooks/sales",
    events: ["deal.stage_changed", "pushed_lead.received"],
    description: "Posts to the sales channel",
    since_days: 200,
    reply: ({ age_h }, dice) => {
      if (age_h < 10) return unreachable("timeout", 10_000);
      return dice.happens(0.06) ? failed(429, '{"error":"slow down"}') : accepted(dice);
    },
  },
  accounting: {
    url: "https://accounting.invalid/api/invoices",
    events: ["invoice.created", "invoice.stage_changed"],
    description: "Books invoices",
    since_days: 280,
    reply: ({ age_h }, dice) => {
      if (age_h < 60) return unreachable("connection", 15);
      if (age_h > 200 && age_h < 310) return failed(500, "Internal Server Error");
      return dice.happens(0.1) ? unreachable("timeout", 10_000) : accepted(dice);
    },
  },
  newsletter: {
    url: "https://newsletter.invalid/subscribers",
    events: ["lead.created"],
    description: "Subscribes new leads to the newsletter",
    since_days: 150,
    reply: ({ age_h }, dice) => (age_h < 9 * 24 ? failed(410, "Gone") : accepted(dice)),
  },
  sunward: {
    url: "https://partners.sunward.invalid/leadport",
    events: ["pushed_lead.*"],
    description: "Status of our referrals",
    partner: "sunward",
    since_days: 190,
    reply: (_, dice) => accepted(dice),
  },
};

/** Plans the creation of the webhooks. */
export function planWebhooks(year: Year): void {
  for (const [key, { url, events, description, since_days, partner }] of Object.entries(
    ENDPOINTS,
  )) {
    const webhook = { url, events, description };
    year.add(year.later(year.now_s - since_days * DAY_s, [0, 3]), (stage) =>
      stage.addWebhook(key, webhook, partner === undefined ? null : stage.partnerId(partner)),
    );
  }
}

/** Returns the last steps of the plan, which create the webhooks' recent deliveries. */
export function deliverySteps(seed: number, now_s: number): readonly Step[] {
  const from_s = now_s - SHOWN_days * DAY_s;
  const delivering = Object.entries(ENDPOINTS).map(([key, { reply }], at): Step => {
    const dice = createDice(seed + 1 + at);
    return {
      at_s: now_s,
      run: (stage) =>
        stage.deliver(key, {
          from_s,
          random: dice.next,
          reply: (attempted) =>
            reply({ ...attempted, age_h: (now_s - attempted.at_s) / HOUR_s }, dice),
        }),
    };
  });
  return [...delivering, { at_s: now_s, run: (stage) => stage.openWebhooks() }];
}
