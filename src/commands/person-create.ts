/** `leadport person create`: a person who signs in, by a link that is alone on stdout. */

import { SERVICE, type Scope } from "../audit/index.ts";
import {
  createPerson,
  findByEmail,
  isEmailLike,
  linkPerson,
  linkUrl,
  type NewPerson,
  ROLE_NAMES,
  ROLES,
} from "../people/index.ts";
import { AppError, StartError } from "../platform/errors/index.ts";
import type { Db } from "../platform/database/index.ts";
import { type Command, type Given, required, UsageError } from "./command.ts";
import { type Installation, withInstallation } from "./installation.ts";
import { chosenTenant, REQUIRED_TENANT } from "./tenant-option.ts";
import { addressOf } from "./welcome.ts";

const KNOWN = ROLE_NAMES.join(", ");
/** Whoever may run commands may do all. */
const RIGHTS = { permissions: ROLES.owner };

type Deps = Pick<Installation, "clock" | "makeId">;

export const command: Command = {
  options: {
    tenant: REQUIRED_TENANT,
    email: { type: "string", value: "<address>", doc: "What the person signs in with. Required." },
    name: { type: "string", value: "<text>", doc: "Required without --reset." },
    role: { type: "string", value: "<role>", doc: "Required without --reset." },
    reset: { type: "boolean", doc: "For a person who is there: a link to set another password." },
  },
  notes:
    `Roles: ${KNOWN}.\n` +
    "Prints a one-time link by which the person sets a password, and nothing else. It begins with\n" +
    "PUBLIC_URL, or with HOST and PORT, and works for three days; of a reset, for one.",
  run: async (given) => {
    const tenant = required(given, "tenant");
    const email = emailOf(required(given, "email"));
    const person = given.values["reset"] === true ? undefined : newPersonOf(given, email);
    await withInstallation(given.env, async (installation) => {
      const { sql: db } = installation.db;
      const { id: tenantId } = await chosenTenant(db, tenant);
      const scope = { db, tenantId, actor: SERVICE };
      const linked =
        person === undefined
          ? reset(scope, installation, email)
          : create(scope, installation, person);
      const { made } = await linked.catch((error: unknown) => {
        throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
      });
      console.log(linkUrl(addressOf(installation), made));
    });
  },
};

async function create(scope: Scope<Db>, deps: Deps, person: NewPerson) {
  const known = await findByEmail(scope.db, scope.tenantId, person.email);
  if (known === undefined) return createPerson(scope, deps, RIGHTS, person);
  const advice = "with --reset you get a link to set another password";
  throw new StartError(`${person.email} is there already; ${advice}.`);
}

async function reset(scope: Scope<Db>, deps: Deps, email: string) {
  const known = await findByEmail(scope.db, scope.tenantId, email);
  if (known === undefined) throw new StartError(`Nobody of this tenant has the e-mail ${email}.`);
  return linkPerson(scope, deps, RIGHTS, known);
}

function emailOf(text: string): string {
  if (isEmailLike(text)) return text;
  throw new UsageError(`--email ${text} is no e-mail address`);
}

function newPersonOf(given: Given, email: string): NewPerson {
  const wanted = required(given, "role");
  const role = ROLE_NAMES.find((name) => name === wanted);
  if (role === undefined) throw new UsageError(`There is no role ${wanted}; there are ${KNOWN}`);
  return { name: required(given, "name"), email, role };
}
