/**
 * The modules of the service. Everything else collects their operations, background work, topics, schemas, columns and
 * metrics from this list, so a new module is only added here.
 */

import { type Caller, accessModule } from "../access/index.ts";
import { auditModule } from "../audit/index.ts";
import { backupModule } from "../backup/index.ts";
import { type ContributedTopic, deliveryModule, type Lanes } from "../delivery/index.ts";
import { demoModule } from "../demo/index.ts";
import { feedModule, webhooksModule } from "../events/index.ts";
import { exchangeModule } from "../exchange/index.ts";
import type { PartnerCaller } from "../exchange/partners/index.ts";
import { filesModule } from "../files/index.ts";
import { peopleModule } from "../people/index.ts";
import {
  type Module,
  type PersonalColumns,
  platformModule,
  type Works,
} from "../platform/modules/index.ts";
import { privacyModule } from "../privacy/index.ts";
import type { Participant } from "../records/store/index.ts";
import { recordsModule } from "../records/index.ts";
import type { RecordTypes } from "../records/types/index.ts";
import { limitsModule } from "../limits/index.ts";
import { quotasModule } from "../quotas/index.ts";
import { systemModule } from "../system/index.ts";
import { tenantDataModule } from "../tenant-data/index.ts";
import { tenantsModule } from "../tenants/index.ts";
import type { Services } from "./app-services.ts";
import type { SharedServices } from "./shared-services.ts";

/** The services that background work uses. */
interface WorkServices extends SharedServices {
  readonly participants: readonly Participant[];
  readonly recordTables: ReadonlySet<string>;
  /** How long ended deliveries are kept. */
  readonly deliveryRetention_days: number;
}

type ServiceModule = Module<{
  services: Services;
  workServices: WorkServices;
  sharedServices: SharedServices;
  tenant: Caller;
  partner: PartnerCaller;
  topic: ContributedTopic;
  participant: Participant;
  types: RecordTypes;
}>;

/** In the order in which openapi.json lists their operations. */
export const MODULES: readonly ServiceModule[] = [
  recordsModule,
  tenantsModule,
  limitsModule,
  quotasModule,
  accessModule,
  peopleModule,
  auditModule,
  feedModule,
  filesModule,
  exchangeModule,
  deliveryModule,
  webhooksModule,
  privacyModule,
  demoModule,
  tenantDataModule,
  systemModule,
  backupModule,
  platformModule,
];

/** Compares entries by their name. */
export const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

/** The topics of all modules, sorted by name. */
const TOPICS = MODULES.flatMap(({ topics = {} }) => Object.entries(topics)).toSorted(byName);

export const TOPIC_NAMES: readonly string[] = TOPICS.map(([name]) => name);

/** The parts that modules take in every write of records. */
export const PARTICIPANTS: readonly Participant[] = MODULES.flatMap(
  ({ participants = [] }) => participants,
);

/** What every column of every table contains. */
export const PERSONAL_COLUMNS: PersonalColumns = Object.fromEntries(
  MODULES.flatMap(({ personal = {} }) => Object.entries(personal)),
);

/** The tables that are not part of a tenant file, each with the reason. */
export const EXCLUDED_FROM_EXPORT: Readonly<Record<string, string>> = Object.fromEntries(
  MODULES.flatMap(({ excludedFromExport = {} }) => Object.entries(excludedFromExport)),
);

/** Returns the background work of all modules. */
export const createWorks = (services: WorkServices): Works =>
  Object.fromEntries(MODULES.flatMap(({ works }) => Object.entries(works?.(services) ?? {})));

/** Creates the topics of all modules, and collects the functions that return the lanes of deliveries. */
export function createTopics(services: SharedServices) {
  const created = TOPICS.map(([name, create]) => [name, create(services)] as const);
  const lanes: Lanes = Object.fromEntries(
    created.flatMap(([name, { lane }]) => (lane === undefined ? [] : [[name, lane]])),
  );
  return { topics: Object.fromEntries(created), lanes };
}
