/** How slow the machine is at the moment, so that no criterion is missed because of the machine. */

import { median } from "../../bench/statistics.ts";
import type { ServiceUnderTest } from "./service.ts";

const REQUESTS = 50;
/** The median response time on the machine on which the limits were chosen. */
const USUAL_ms = 2;

/**
 * Returns the factor by which to extend time limits: the median response time of a service without an attack or a fault,
 * compared with the usual one. At least 1.
 */
export async function slownessOf({
  url,
  token,
}: Pick<ServiceUnderTest, "url" | "token">): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const times_ms: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const start_ms = performance.now();
    await (await fetch(`${url}/crm/leads?page_size=1`, { headers })).arrayBuffer();
    times_ms.push(performance.now() - start_ms);
  }
  return Math.max(1, median(times_ms) / USUAL_ms);
}
