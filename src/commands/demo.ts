/** `leadport demo`: creates or removes a separate tenant with a year of sample data for trying out Leadport. */

import { findDemoTenant } from "../tenants/index.ts";
import {
  demoOwnerLink,
  LEADS,
  type Owner,
  readDemo,
  removeDemo,
  startFilling,
  USUAL_SEED,
} from "../demo/index.ts";
import { startProgress } from "../files/imports/index.ts";
import { linkUrl, userIssues } from "../people/index.ts";
import { AppError, StartError } from "../platform/errors/index.ts";
import { createSealer } from "../platform/secrets/index.ts";
import { PARTICIPANTS } from "../service/index.ts";
import {
  type Command,
  type Given,
  optional,
  type Output,
  refuseIssues,
  UsageError,
} from "./command.ts";
import { type Installation, withInstallation } from "./installation.ts";
import { addressOf } from "./welcome.ts";

const EXAMPLES: Command["examples"] = [
  "leadport demo",
  "leadport demo --email ada@example.com --name 'Ada Example'",
  "leadport demo --leads 500 --again",
  "leadport demo --remove",
];

const SEED_MAX = 2 ** 31 - 1;

export const command: Command = {
  examples: EXAMPLES,
  options: {
    leads: {
      type: "string",
      value: "<number>",
      doc: `Approximate number of leads, from ${LEADS.least} to ${LEADS.most} (default: ${LEADS.usual}).`,
    },
    seed: {
      type: "string",
      value: "<number>",
      doc: `The same seed creates the same records, except for ids and dates (default: ${USUAL_SEED}).`,
    },
    email: {
      type: "string",
      value: "<address>",
      doc: "Invite this user as an owner. Without it, the first user to open the link enters theirs.",
    },
    name: { type: "string", value: "<text>", doc: "The name of the user with --email." },
    again: { type: "boolean", doc: "Remove existing demo data and create it again." },
    remove: { type: "boolean", doc: "Remove the demo data and its tenant." },
  },
  notes: [
    "The records are in a separate tenant and do not affect other tenants. Prints a one-time link for",
    "setting the owner's password. The link starts with PUBLIC_URL, or with the address of the running",
    "service.",
  ].join("\n"),
  run: async (given) => {
    const { values, env, output } = given;
    const again = values["again"] === true;
    const remove = values["remove"] === true;
    if (again && remove) throw new UsageError("--again and --remove cannot be combined");
    const request = requestOf(given);
    const work = async (installation: Installation): Promise<void> => {
      try {
        if (remove) await removeAll(installation, output);
        else await createAll(installation, request, again, output);
      } catch (error) {
        throw error instanceof AppError ? new StartError(sentence(error), { cause: error }) : error;
      }
    };
    await withInstallation(env, work, { mayCreate: !remove });
  },
};

const sentence = ({ message }: AppError): string => `${message}.`;

interface DemoRequest {
  readonly leads: number;
  readonly seed: number;
  readonly owner: Owner | undefined;
}

function requestOf(given: Given): DemoRequest {
  const email = optional(given, "email");
  const name = optional(given, "name");
  if (name !== undefined && email === undefined) throw new UsageError("--name requires --email");
  const owner = email === undefined ? undefined : { email, name: name ?? email.replace(/@.*/, "") };
  if (owner !== undefined) refuseIssues(userIssues({ ...owner, role: "owner" }));
  return {
    leads: numberIn(given, "leads", { ...LEADS }),
    seed: numberIn(given, "seed", { least: 0, most: SEED_MAX, usual: USUAL_SEED }),
    owner,
  };
}

function numberIn(
  given: Given,
  name: string,
  { least, most, usual }: Readonly<Record<"least" | "most" | "usual", number>>,
): number {
  const text = optional(given, name);
  if (text === undefined) return usual;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}

async function removeAll({ db }: Installation, output: Output): Promise<void> {
  const rows = await removeDemo(db.sql);
  output.log(`Removed the demo data (${rows.toLocaleString("en")} rows).`);
}

async function createAll(
  installation: Installation,
  request: DemoRequest,
  again: boolean,
  output: Output,
): Promise<void> {
  const { sql } = installation.db;
  if (again && (await findDemoTenant(sql)) !== undefined) await removeDemo(sql);
  await refuseExisting(installation);
  installation.disk.mustHaveSpace();
  const { name, handle } = await fill(installation, request);
  const link = await demoOwnerLink(sql, installation, request.owner);
  output.error(`The business "${name}" (${handle}) is ready. Sign in as its owner with this link:`);
  output.log(linkUrl(addressOf(installation), link));
}

/** Throws a StartError that explains what to do if demo data already exists. */
async function refuseExisting({ db }: Installation): Promise<void> {
  const { state, tenant, done, total } = await readDemo(db.sql);
  const advice =
    "Run `leadport demo --again` to create it again, or `leadport demo --remove` to remove it";
  switch (state) {
    case "absent":
      return;
    case "ready":
      throw new StartError(`Demo data already exists: "${tenant?.name}". ${advice}.`);
    case "interrupted":
      throw new StartError(
        `The creation of demo data was interrupted after ${done} of ${total} steps. ${advice}.`,
      );
    default:
      throw new StartError(
        "Another process is creating or removing demo data. Wait until it has finished.",
      );
  }
}

async function fill(installation: Installation, { leads, seed, owner }: DemoRequest) {
  const { clock, db, keys } = installation;
  const { sql } = db;
  let progress: ReturnType<typeof startProgress> | undefined;
  const onProgress = (done: number, total: number): void => {
    progress ??= startProgress({
      stream: process.stderr,
      total,
      unit: "steps",
      now: clock.now_ms,
    });
    progress.update(done, done);
  };
  const sealer = createSealer(keys);
  try {
    const filling = await startFilling(
      { sql, clock, sealer, participants: PARTICIPANTS },
      { leads, seed, owner, onProgress },
    );
    await filling.done;
  } finally {
    progress?.stop();
  }
  const tenant = await findDemoTenant(sql);
  if (tenant === undefined) {
    throw new StartError("Another process has removed the demo data in the meantime.");
  }
  return tenant;
}
