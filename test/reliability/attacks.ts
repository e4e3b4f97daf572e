/** Every attack of the campaign, in the order in which they run. */

import type { Attack } from "./attack.ts";
import { BODY_ATTACKS } from "./attacks/bodies.ts";
import { CONNECTION_ATTACKS } from "./attacks/connections.ts";
import { FILE_ATTACKS } from "./attacks/files.ts";
import { REQUEST_ATTACKS } from "./attacks/requests.ts";

export const ATTACKS: readonly Attack[] = [
  ...BODY_ATTACKS,
  ...FILE_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...REQUEST_ATTACKS,
];
