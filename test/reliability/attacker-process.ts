/** Runs one attack in its own process, so that building hostile bodies delays nobody's measurement. */

import type { Outcome, Tally, Target } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";

export interface AttackerArguments extends Target {
  readonly name: string;
}

const { name, ...target } = JSON.parse(process.argv[2] ?? "{}") as AttackerArguments;
const attack = ATTACKS.find((one) => one.name === name);
if (attack === undefined) throw new Error(`There is no attack named ${name}.`);
// If the test ends early, its attack does too.
process.on("disconnect", () => process.exit());
const tally: Tally = { requests: 0, responses: {} };
const figures = (await attack.run(target, tally)) ?? {};
const outcome: Outcome = { ...tally, figures };
process.send?.(outcome, () => process.exit());
