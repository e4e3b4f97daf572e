/** The ids of example records. They are invented, and the docs use the same ones. */

import { RECORD_NAMES, TYPE_FACTS } from "../../records/types/index.ts";

export const IDS = {
  lead: "6b00a6c0642fb00017e22058",
  contact: "6b00a6c392f5100097724f9a",
  account: "6b00a6c3911580008c2c55f0",
  deal: "6b00a6c394408000a7190960",
  invoice: "6b00a6c4a1f3d0001c9b7e11",
  order: "6b00a6c5b2041000d4e8a3f2",
  task: "6b00a6c6c3152000e5f9b403",
  duplicate_lead: "6b00a6c16bd5e0002bde0520",
  duplicate_contact: "6b00a6c17ce6f0003cef1631",
  duplicate_account: "6b00a6c18df700004df02742",
  merge: "6b00a6d01f2e300051b7c9aa",
  import: "6b00a6c14f97c0000fa5b108",
  change: "6b014d266ae2f0001fd61b1b",
  partner: "6b014d2609640000abc112ed",
  pushed_lead: "6b014d26302e70008fa35827",
  accepted_lead: "6b014d2640cce000027677d2",
  imported_lead: "6b014d26693c70005e9a51c1",
  delivery: "6b015d8028512000a027a291",
  webhook: "6b018f1351f870009ee5285d",
  partner_webhook: "6b018f2062098100aff6396e",
  token: "6b014d205f41700023e514e5",
  user: "6b00a6b05e0d100012ab34cd",
  report: "6b02b3a11e60e000c8a28bd4",
  erasure: "6b02b3b22f71f000d9b39ce5",
  export: "6b02b3c33081d000eaca4af69f2c64d17be0358a1c4f7d29e6b5a0c3",
  session: "6b00a6b16f1e200023bc45de",
  tenant: "6b00a6a04dfc000001239abc",
} as const;

export type ExampleName = keyof typeof IDS;

const BY_NAME = new Map<string, string>(Object.entries(IDS));

/** Returns the example id with a name, or undefined if there is none. */
export const idOf = (name: string): string | undefined => BY_NAME.get(name);

/** The id for records of types without an example id. */
const OTHER = "6b00a6c7d4263000f60ac514";

export const idOfRecord = (typeName: string): string => idOf(typeName) ?? OTHER;

/** Path parameters whose names differ from the names of the examples. */
const OTHER_NAMES: Readonly<Record<string, string>> = { person: "user" };

/** Returns the value of a path parameter such as `lead_id`, or undefined if it is not an id. */
export function idOfParameter(name: string): string | undefined {
  const type = RECORD_NAMES.find((one) => TYPE_FACTS[one].idName === name);
  if (type !== undefined) return idOfRecord(type);
  const stem = name.replace(/_id$/, "");
  return idOf(OTHER_NAMES[stem] ?? stem);
}
