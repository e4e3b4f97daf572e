/** The actions of the demo year. They call the service's own modules, with the time of the demo clock. */

import { type Backstage } from "./backstage.ts";
import { deliveryActs } from "./deliveries.ts";
import { exchangeActs } from "./exchange.ts";
import { recordActs } from "./records.ts";
import { teamActs } from "./team.ts";

export { type Backstage, personActor } from "./backstage.ts";
export type { Attempted, DemoWebhook, Reply } from "./deliveries.ts";
export { createDemoClock, openDemoDb } from "./demo-clock.ts";
export type { Push, Pushed } from "./exchange.ts";
export type { Member, Program } from "./team.ts";

export type Stage = ReturnType<typeof createStage>;

export const createStage = (backstage: Backstage) => ({
  ...recordActs(backstage),
  ...teamActs(backstage),
  ...exchangeActs(backstage),
  ...deliveryActs(backstage),
});
