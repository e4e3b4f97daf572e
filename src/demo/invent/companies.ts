/** Generates fictional companies that may want solar panels. */

import type { Dice } from "./dice.ts";
import { slugOf } from "./people.ts";

export interface Company {
  readonly name: string;
  readonly industry: string;
  readonly website: string;
  /** The domain of the employees' email addresses. */
  readonly domain: string;
  readonly num_employees: number;
}

const FIRST =
  "Harborview Cedar Alder Redstone Larkspur Ironwood Juniper Bluewater Copperfield Meadowlark Stonebridge " +
  "Quarry Lakeshore Thornbury Windmill Fernwood Eastgate Sable Orchard Millrace Saltmarsh Kestrel Beacon " +
  "Briar Cobblestone Driftwood Elmhurst Foxglove Granite Hazel Ivory Jasper Kingfisher Linden Marigold";

const INDUSTRIES: Readonly<Record<string, readonly string[]>> = {
  "Food and beverage": ["Bakery", "Brewing Co.", "Creamery", "Coffee Roasters", "Foods"],
  Manufacturing: ["Fabrication", "Precision Parts", "Plastics", "Metalworks", "Packaging"],
  Healthcare: ["Dental Group", "Family Clinic", "Veterinary Hospital", "Physical Therapy"],
  Retail: ["Hardware", "Garden Center", "Outfitters", "Furniture", "Books"],
  Logistics: ["Cold Storage", "Freight", "Warehousing", "Distribution"],
  Hospitality: ["Inn", "Hotel", "Conference Center", "Resort"],
  Education: ["Academy", "Montessori School", "Community College"],
  Agriculture: ["Farms", "Vineyards", "Dairy", "Greenhouses"],
  "Real estate": ["Properties", "Apartments", "Business Park"],
};

/** Creates a generator of companies with unique names. When all names are used, it adds suffixes. */
export function createCompanies(dice: Dice): () => Company {
  const taken = new Map<string, number>();
  return () => {
    const industry = dice.pick(Object.keys(INDUSTRIES));
    const base = `${dice.pick(FIRST.split(" "))} ${dice.pick(INDUSTRIES[industry] ?? [])}`;
    const number = (taken.get(base) ?? 0) + 1;
    taken.set(base, number);
    const name =
      number === 1 ? base : `${base} ${["of Ohio", "West", "North"][number - 2] ?? number}`;
    const domain = `${slugOf(name)}.example.com`;
    const num_employees = Math.round(dice.around(60, 3));
    return { name, industry, website: `https://${domain}`, domain, num_employees };
  };
}
