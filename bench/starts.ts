/** Measures how soon a service with existing data responds to its first request. */

import type { Shown } from "./compare.ts";
import { connectTo, median, startService } from "./service.ts";

const BAR_s = 1.5;
const TIMES = 5;

export async function compareStarts(dataDir: string): Promise<readonly Shown[]> {
  const took_s: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const begun = performance.now();
    const service = await startService(dataDir);
    const connection = connectTo(service);
    await connection.get("/crm/leads");
    took_s.push((performance.now() - begun) / 1000);
    connection.close();
    await service.stop();
  }
  return [
    {
      name: "start",
      what: "from running the command to the first page, existing data, s",
      bar: `≤ ${BAR_s.toFixed(2)}`,
      ratio: median(took_s),
      spread: [Math.min(...took_s), Math.max(...took_s)],
      isMet: median(took_s) <= BAR_s,
      own: "",
      beside: "",
    },
  ];
}
