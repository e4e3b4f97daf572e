/** Questions about columns that can be read in two ways, at a terminal. */

import { createInterface } from "node:readline/promises";
import type { Ask } from "../../files/index.ts";

export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on standard error, which is not redirected with the report. An empty answer keeps the default. */
export const askAtTerminal: Ask = async ({ heading, about, value, examples }) => {
  const shown = examples.map((text) => JSON.stringify(text)).join(", ");
  const [what, choices] =
    about === "dates"
      ? (["Is the day or the month first", ["dmy", "mdy"]] as const)
      : (["Is the decimal sign a point or a comma", [".", ","]] as const);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const answer = await asking.question(
        `The column ${JSON.stringify(heading)} can be read in two ways: ${shown}\n` +
          `${what}? ${choices.join(" or ")} [${value}] `,
      );
      const chosen = choices.find((choice) => choice === answer.trim().toLowerCase());
      if (chosen !== undefined) return chosen;
      if (answer.trim() === "") return value;
    }
  } finally {
    asking.close();
  }
};
