/** Asks about ambiguous columns at a terminal. */

import { createInterface } from "node:readline/promises";
import type { Ask } from "../../files/columns/index.ts";

export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Prints questions to standard error, so that they stay visible when the report is redirected. Empty input keeps
 * the default.
 */
export const askAtTerminal: Ask = async ({ heading, about, value, examples }) => {
  const shown = examples.map((text) => JSON.stringify(text)).join(", ");
  const [what, choices] =
    about === "dates"
      ? (["Does the day or the month come first", ["dmy", "mdy"]] as const)
      : (["Is the decimal separator a point or a comma", [".", ","]] as const);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const input = await terminal.question(
        `The column ${JSON.stringify(heading)} is ambiguous: ${shown}\n` +
          `${what}? ${choices.join(" or ")} [${value}] `,
      );
      const chosen = choices.find((choice) => choice === input.trim().toLowerCase());
      if (chosen !== undefined) return chosen;
      if (input.trim() === "") return value;
    }
  } finally {
    terminal.close();
  }
};
