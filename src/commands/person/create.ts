/** `leadport person create`: creates a user and prints a link to sign in. */

import { SERVICE, type Scope } from "../../audit/index.ts";
import {
  createPerson,
  findByEmail,
  linkPerson,
  linkUrl,
  type NewPerson,
  ROLE_NAMES,
  ROLES,
  userIssues,
} from "../../people/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { type Command, type Given, refuseIssues, required, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";
import { chosenTenant, REQUIRED_TENANT } from "../tenant-option.ts";
import { addressOf } from "../welcome.ts";

const KNOWN = ROLE_NAMES.join(", ");
/** Operators can grant all permissions. */
const RIGHTS = { permissions: ROLES.owner };

type Deps = Pick<Installation, "clock" | "makeId">;

export const command: Command = {
  options: {
    tenant: REQUIRED_TENANT,
    email: {
      type: "string",
      value: "<address>",
      doc: "The email the user signs in with. Required.",
    },
    name: { type: "string", value: "<text>", doc: "The user's name. Required without --reset." },
    role: { type: "string", value: "<role>", doc: "The user's role. Required without --reset." },
    reset: { type: "boolean", doc: "Print a password reset link for an existing user." },
    ...JSON_OPTION,
  },
  choices: { role: ROLE_NAMES },
  notes:
    `Roles: ${KNOWN}.\n` +
    "Prints only a one-time link for setting a password. The link starts with PUBLIC_URL, or with the address\n" +
    "of the running service, and is valid for three days, or for one day with --reset.",
  examples: [
    'leadport person create --tenant default --name "Ada Example" --email ada@example.com --role owner',
    "leadport person create --tenant default --email ada@example.com --reset",
  ],
  run: async (given) => {
    const tenant = required(given, "tenant");
    const email = required(given, "email");
    const person = given.values["reset"] === true ? undefined : newPersonOf(given, email);
    await withInstallation(given.env, async (installation) => {
      const { sql: db } = installation.db;
      const { id: tenantId } = await chosenTenant(db, tenant);
      const scope = { db, tenantId, actor: SERVICE };
      const linked =
        person === undefined
          ? reset(scope, installation, email)
          : create(scope, installation, person);
      const { made } = await linked;
      const link = linkUrl(addressOf(installation), made);
      printResult(given, { email, link }, link);
    });
  },
};

async function create(scope: Scope<Db>, deps: Deps, person: NewPerson) {
  const known = await findByEmail(scope.db, scope.tenantId, person.email);
  if (known === undefined) return createPerson(scope, deps, RIGHTS, person);
  throw new StartError(
    `This tenant already has a user with the email ${person.email}. Use --reset to print a password reset link.`,
  );
}

async function reset(scope: Scope<Db>, deps: Deps, email: string) {
  const known = await findByEmail(scope.db, scope.tenantId, email);
  if (known === undefined) throw new StartError(`This tenant has no user with the email ${email}.`);
  return linkPerson(scope, deps, RIGHTS, known);
}

function newPersonOf(given: Given, email: string): NewPerson {
  const wanted = required(given, "role");
  const role = ROLE_NAMES.find((name) => name === wanted);
  if (role === undefined) {
    throw new UsageError(`Unknown role: ${wanted}. Available roles: ${KNOWN}.`);
  }
  const person = { name: required(given, "name"), email, role };
  refuseIssues(userIssues(person));
  return person;
}
