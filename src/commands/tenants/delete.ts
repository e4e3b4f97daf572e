/** `leadport tenant delete`: deletes a tenant after a grace period, or immediately. */

import { createInterface } from "node:readline/promises";
import { deleteTenant, GRACE_days, readTenant } from "../../tenants/index.ts";
import { isoSeconds } from "../../platform/clock/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import { removeDeleted } from "../../tenant-data/index.ts";
import { type Command, optional } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { printable } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  options: {
    confirm: {
      type: "string",
      value: "<handle>",
      doc: "The tenant's handle, instead of typing it.",
    },
    now: {
      type: "boolean",
      doc: "Delete a suspended or deleted tenant immediately, without a grace period.",
    },
  },
  notes: [
    `Suspends the tenant immediately, and deletes all its data after ${GRACE_days} days. Until then, you can undo this`,
    "with leadport tenant restore. The first tenant of an installation cannot be deleted.",
  ].join("\n"),
  examples: [
    "leadport tenant delete acme",
    "leadport tenant delete acme --confirm acme",
    "leadport tenant delete acme --confirm acme --now",
  ],
  run: async (given) => {
    const [wanted = ""] = given.positionals;
    const now = given.values["now"] === true;
    await withInstallation(given.env, async (installation) => {
      const { sql } = installation.db;
      const { id } = await chosenTenant(sql, wanted);
      const { handle, name } = await readTenant(sql, id);
      const shown = printable(name);
      const typed = optional(given, "confirm") ?? (await askHandle(shown, handle));
      if (typed !== handle) {
        throw new StartError(
          `The handle of this tenant is ${handle}, not "${typed}". Nothing was changed.`,
        );
      }
      const { delete_after_ts } = await deleteTenant(sql, installation, id, now);
      if (!now) {
        given.output.log(
          `${shown} is suspended and will be deleted after ${isoSeconds(delete_after_ts ?? 0)}. ` +
            `Undo it with leadport tenant restore ${handle}.`,
        );
        return;
      }
      const rows = (await removeDeleted(sql, id, installation.clock)) ?? 0;
      given.output.log(`${shown} has been deleted (${rows.toLocaleString("en")} rows).`);
    });
  },
};

async function askHandle(name: string, handle: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new StartError(
      `Deleting a tenant must be confirmed: add --confirm ${handle}. Nothing was changed.`,
    );
  }
  const reading = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `This deletes "${name}" with all its data. Type its handle (${handle}) to confirm: `;
    return (await reading.question(question)).trim();
  } finally {
    reading.close();
  }
}
