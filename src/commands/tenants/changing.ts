/** Commands that change the state of a tenant. */

import type { suspendTenant } from "../../access/index.ts";
import { AppError, StartError } from "../../platform/errors/index.ts";
import type { Command } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { printable } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";

type State = Awaited<ReturnType<typeof suspendTenant>>;

/** A command that changes its tenant and prints what that means. */
export const changing =
  (change: typeof suspendTenant, meaning: (state: State) => string): Command["run"] =>
  async ({ positionals: [handle = ""], env }) =>
    withInstallation(env, async (installation) => {
      const { sql } = installation.db;
      const tenant = await chosenTenant(sql, handle);
      const state = await asStartError(change(sql, installation, tenant.id));
      console.log(`${printable(tenant.name)}: ${meaning(state)}`);
    });

/** Shows a refusal without a stack. */
export const asStartError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
  });
