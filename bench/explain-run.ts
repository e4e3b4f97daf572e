/** The plans of all requests on a filled data folder: `npm run bench:explain -- --help`. */

import { explainAll } from "./explain-all.ts";
import { filled } from "./fill.ts";
import { readOptions } from "./options.ts";

const { rows, dataDir, values } = readOptions(
  "bench:explain",
  "The plan of every statement that requests run. Ends with 1 where one reads a whole large table or sorts many rows.",
  { brief: { value: "<yes>", fallback: "", doc: "Print only what is at fault." } },
);
await filled(dataDir, rows);
const isGood = await explainAll(dataDir, { rows, isBrief: values["brief"] !== "" });
process.exitCode = isGood ? 0 : 1;
