/** Runs one attack in a separate process, so that building hostile bodies does not delay the measurements. */

import { STARTED, type Outcome, type Tally, type Target } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { SHARE_ATTACKS } from "./attacks/shares.ts";

export interface AttackerArguments extends Omit<Target, "until_ms"> {
  readonly name: string;
  readonly lasts_s: number;
}

const { name, lasts_s, ...target } = JSON.parse(process.argv[2] ?? "{}") as AttackerArguments;
const attack = [...ATTACKS, ...SHARE_ATTACKS].find((one) => one.name === name);
if (attack === undefined) throw new Error(`There is no attack named ${name}.`);
// If the test ends early, so does its attack.
process.on("disconnect", () => process.exit());
const run = attack.prepare();
const tally: Tally = { requests: 0, responses: {} };
const started_ms = Date.now();
process.send?.(STARTED);
const figures = (await run({ ...target, until_ms: started_ms + lasts_s * 1000 }, tally)) ?? {};
const outcome: Outcome = { ...tally, started_ms, ended_ms: Date.now(), figures };
process.send?.(outcome, () => process.exit());
