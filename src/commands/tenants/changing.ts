/** Commands that change the state of a tenant. */

import type { suspendTenant } from "../../tenants/index.ts";
import type { Command } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { printable } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";

type State = Awaited<ReturnType<typeof suspendTenant>>;

/** Returns a command action that changes a tenant's state and prints an explanation of the new state. */
export const changing =
  (
    change: typeof suspendTenant,
    meaning: (state: State, given: string) => string,
  ): Command["run"] =>
  async ({ positionals: [given = ""], env, output }) =>
    withInstallation(env, async (installation) => {
      const { sql } = installation.db;
      const tenant = await chosenTenant(sql, given);
      const state = await change(sql, installation, tenant.id);
      output.log(`${printable(tenant.name)}: ${meaning(state, given)}`);
    });
