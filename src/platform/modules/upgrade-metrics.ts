/** Metrics of upgrades: the running processes, and the progress of back-fills. */

import type { MeasuredGroup } from "../metrics/index.ts";
import { readBackfills, runningProcesses } from "../migrations/index.ts";

export const UPGRADES: MeasuredGroup = {
  gauges: {
    leadport_processes: {
      help: "Running processes, by release. Two releases run side by side during an upgrade.",
      labels: ["release"],
    },
    leadport_backfill_rows_done: {
      help: "Rows that the current pass of a back-fill has read.",
      labels: ["name"],
    },
    leadport_backfill_rows_total: {
      help: "Approximate number of rows that the current pass of a back-fill reads.",
      labels: ["name"],
    },
    leadport_backfill_finished: {
      help: "1 if the back-fill is finished, otherwise 0.",
      labels: ["name"],
    },
  },
  read: async (db) => {
    const releases = new Map<string, number>();
    for (const { release } of await runningProcesses(db)) {
      releases.set(release, (releases.get(release) ?? 0) + 1);
    }
    const backfills = await readBackfills(db);
    const samples = (value: (state: (typeof backfills)[number]) => number) =>
      backfills.map((state) => ({ labels: { name: state.name }, value: value(state) }));
    return {
      leadport_processes: [...releases].map(([release, value]) => ({ labels: { release }, value })),
      leadport_backfill_rows_done: samples(({ rows_done }) => rows_done),
      leadport_backfill_rows_total: samples(({ rows_total }) => rows_total),
      leadport_backfill_finished: samples(({ is_finished }) => Number(is_finished)),
    };
  },
};
