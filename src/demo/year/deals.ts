/** Plans deals: their stages, quotes, and the orders and invoices of won deals. */

import type { JsonObject } from "../../platform/json/index.ts";
import { LOST_REASONS, NEEDS, PRODUCTS } from "../invent/index.ts";
import type { Stage } from "../stage/index.ts";
import { DAY_s } from "./calendar.ts";
import type { Lead } from "./lead.ts";
import { planTask } from "./tasks.ts";
import type { Year } from "./year.ts";

/** The stages of a deal up to the contract, each with the probability of winning the deal. */
const STAGES = [
  ["discovery", 0.2],
  ["developing", 0.4],
  ["negotiation_review", 0.6],
  ["contract_pending", 0.85],
] as const;

const WON_SHARE = 0.52;
const DEPOSIT_SHARE = 0.3;
const cents = (amount: number): number => Math.round(amount * 100) / 100;

export interface PlannedDeal {
  /** The bodies of the account and the other records that the conversion creates. */
  readonly account: JsonObject;
  readonly deal: JsonObject;
  /** Plans the steps that follow the conversion. */
  readonly prepare: () => void;
}

/** The line items of a sale: one or two products. */
interface Sale {
  readonly lines: readonly {
    readonly product_id: string;
    readonly unit_amount: number;
    readonly unit_count: number;
  }[];
  readonly label: string;
  readonly total: number;
}

function saleOf({ dice }: Year, lead: Lead): Sale {
  const [first, second] = PRODUCTS[lead.company === undefined ? "home" : "company"];
  const chosen = dice.happens(0.4) ? [first, second] : [first];
  const lines = chosen.map(({ product_id, unit_amount, count: [least, most] }) => ({
    product_id,
    unit_amount,
    unit_count: Math.round(Math.max(least, Math.min(most, dice.around((least + most) / 2.4, 1.7)))),
  }));
  const total = lines.reduce((sum, line) => sum + line.unit_amount * line.unit_count, 0);
  return { lines, label: `${lines[0]?.unit_count} ${first.label}`, total };
}

/** Plans a deal that starts with the conversion of a lead at `at_s`. */
export function planDeal(year: Year, lead: Lead, at_s: number): PlannedDeal {
  const { dice } = year;
  const { invented, company, source } = lead;
  const sale = saleOf(year, lead);
  const isWon = dice.happens(WON_SHARE);
  const pace = company === undefined ? 1 : 2;
  const moments = [at_s];
  for (const _ of STAGES) moments.push(year.later(moments.at(-1) ?? at_s, [50 * pace, 260 * pace]));
  const lostAfter = dice.whole(1, STAGES.length);
  const end_s = moments[isWon ? STAGES.length : lostAfter] ?? at_s;
  const expected_close_date = Math.floor(end_s + dice.between(-4, 10) * DAY_s);
  const deal = {
    name: `${company?.name ?? invented.name}: ${sale.label}`,
    stage: STAGES[0][0],
    probability_pcnt: STAGES[0][1],
    expected_close_date,
    marketing_source: source,
    product_dict_list: sale.lines,
    ...(dice.happens(0.4) && { business_need_description: dice.pick(NEEDS) }),
  };
  const prepare = (): void => {
    for (const [at, [stage, probability_pcnt]] of STAGES.entries()) {
      const moved_s = moments[at] ?? at_s;
      if (at === 0 || (!isWon && at >= lostAfter)) continue;
      patchDeal(year, lead, moved_s, { stage, probability_pcnt });
      if (dice.happens(0.35)) planTask(year, lead, moved_s, "deal");
      if (stage === "negotiation_review")
        planQuote(year, lead, { at_s: moved_s, end_s, isWon, sale });
    }
    if (isWon) planWon(year, lead, end_s, sale);
    else planLost(year, lead, end_s);
  };
  return { account: accountOf(lead), deal, prepare };
}

/** The open stages, each with the probability of winning the deal. */
const OPEN_STAGES = [["draft", 0.05], ["prospecting", 0.1], ...STAGES] as const;

/** Plans two additional deals for each open stage. Each deal belongs to a randomly chosen converted lead. */
export function planFollowUps(year: Year, leads: readonly Lead[]): void {
  const { dice, now_s } = year;
  for (const [stage, probability_pcnt] of [...OPEN_STAGES, ...OPEN_STAGES]) {
    const at_s = year.later(now_s - dice.between(3, 25) * DAY_s, [0, 4]);
    const drawn = dice.next();
    const input = {
      stage,
      probability_pcnt,
      value_of_sale: dice.whole(30, 240) * 100,
      expected_close_date: Math.floor(now_s + dice.between(2, 60) * DAY_s),
      marketing_source: "Referral",
    };
    year.add(at_s, async (at) => {
      const converted = leads.filter(({ contact_id }) => contact_id !== undefined);
      const one = converted[Math.floor(drawn * converted.length)];
      if (one?.contact_id === undefined) return;
      const { contact_id, account_id = null, company, invented, seller } = one;
      const name = `${company?.name ?? invented.name}: maintenance and a battery`;
      await at.create("deal", { ...input, name, contact_id, account_id }, seller);
    });
  }
}

function accountOf({ invented, company, source }: Lead): JsonObject {
  const common = { status: "prospect", relationship_type: "prospect", source };
  if (company === undefined) return { ...common, name: `${invented.family} residence` };
  const { name, industry, website, domain, num_employees } = company;
  const email = `office@${domain}`;
  return { ...common, name, company_name: name, industry, website, email, num_employees };
}

const patchDeal = (year: Year, lead: Lead, at_s: number, input: JsonObject): boolean =>
  year.add(at_s, (stage) => stage.patch("deal", lead.deal_id, input, lead.seller));

interface Quote {
  readonly at_s: number;
  readonly end_s: number;
  readonly isWon: boolean;
  readonly sale: Sale;
}

/** Returns the records that a document refers to; undefined until the lead has been converted. */
function partiesOf({ account_id, contact_id, deal_id }: Lead): JsonObject | undefined {
  if (account_id === undefined || contact_id === undefined) return undefined;
  return { account_id, contact_id, opportunity_id: deal_id ?? null };
}

const billed = ({ lines }: Sale, share = 1) =>
  lines.map(({ product_id, unit_amount, unit_count }) => ({
    description: `${unit_count} × ${product_id}${share === 1 ? "" : ` (${Math.round(share * 100)}%)`}`,
    amount: cents(unit_amount * unit_count * share),
  }));

const sumOf = (lines: readonly { readonly amount: number }[]): number =>
  cents(lines.reduce((sum, { amount }) => sum + amount, 0));

/** Creates a document for a lead's deal and returns its id. Does nothing if the lead was not converted. */
async function createDocument(
  stage: Stage,
  lead: Lead,
  type: "order" | "invoice",
  inputOf: () => JsonObject,
): Promise<string | undefined> {
  const parties = partiesOf(lead);
  return parties && stage.create(type, { ...parties, ...inputOf() }, lead.seller);
}

function planQuote(year: Year, lead: Lead, { at_s, end_s, isWon, sale }: Quote): void {
  const order_line_list = billed(sale);
  const total_amount = sumOf(order_line_list);
  const quote: { id?: string | undefined } = {};
  year.add(at_s + 1800, async (stage) => {
    const input = { order_type: "quote", stage: "pending", order_date: at_s, order_line_list };
    quote.id = await createDocument(stage, lead, "order", () => ({ ...input, total_amount }));
  });
  const stage = isWon ? "approved" : "cancelled";
  year.add(end_s + 60, (at) => at.patch("order", quote.id, { stage }, lead.seller));
}

function planWon(year: Year, lead: Lead, at_s: number, sale: Sale): void {
  const won = { stage: "closed_won", probability_pcnt: 1 };
  if (!patchDeal(year, lead, at_s, won)) return;
  const customer = { status: "customer", relationship_type: "customer" };
  year.add(at_s + 90, (stage) => stage.patch("account", lead.account_id, customer, lead.seller));
  const order_line_list = billed(sale);
  const order: { id?: string | undefined } = {};
  year.add(at_s + 300, async (stage) => {
    const input = { stage: "approved", order_date: at_s, order_line_list };
    const total_amount = sumOf(order_line_list);
    order.id = await createDocument(stage, lead, "order", () => ({ ...input, total_amount }));
  });
  planInvoice(year, lead, year.later(at_s, [20, 70]), billed(sale, DEPOSIT_SHARE));
  const installed_s = year.later(at_s, [400, 1300]);
  year.add(installed_s, (stage) =>
    stage.patch("order", order.id, { stage: "fulfilled" }, lead.seller),
  );
  planInvoice(year, lead, year.later(installed_s, [20, 50]), billed(sale, 1 - DEPOSIT_SHARE));
}

function planInvoice(
  year: Year,
  lead: Lead,
  at_s: number,
  lines: readonly { readonly description: string; readonly amount: number }[],
): void {
  const { dice } = year;
  const invoice: { id?: string | undefined } = {};
  const total_amount = sumOf(lines);
  year.add(at_s, async (stage) => {
    const input = { stage: "draft", invoice_date: at_s, invoice_line_list: lines, total_amount };
    invoice.id = await createDocument(stage, lead, "invoice", () => ({
      ...input,
      invoice_num: stage.nextInvoiceNumber(),
    }));
  });
  const move = (moved_s: number, stage: string) =>
    year.add(moved_s, (at) => at.patch("invoice", invoice.id, { stage }, lead.seller));
  const sent_s = year.later(at_s, [1, 60]);
  const ending = dice.weighted([
    ["paid", 90],
    ["uncollectible", 4],
    ["void", 3],
    ["cancelled", 3],
  ]);
  move(sent_s, "open");
  move(year.later(sent_s, ending === "uncollectible" ? [1500, 2400] : [90, 800]), ending);
}

function planLost(year: Year, lead: Lead, at_s: number): void {
  const reason = year.dice.pick(LOST_REASONS);
  const lost = {
    stage: "closed_lost",
    probability_pcnt: 0,
    lost_reason: reason,
  };
  if (!patchDeal(year, lead, at_s, lost)) return;
  // A company's account may already be a customer because of another deal.
  if (lead.company === undefined) {
    const input = { status: "lost" };
    year.add(at_s + 90, (stage) => stage.patch("account", lead.account_id, input, lead.seller));
  }
}
