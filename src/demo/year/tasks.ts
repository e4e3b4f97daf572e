/** Plans tasks: completed on time, completed late, due today and overdue. */

import { TASKS } from "../invent/index.ts";
import { DAY_s, endOfWorkday } from "./calendar.ts";
import type { Lead } from "./lead.ts";
import type { ActorName } from "./team.ts";
import type { Year } from "./year.ts";

/** Creates a task for the seller that concerns a lead or its deal. */
export function planTask(year: Year, lead: Lead, at_s: number, about: "lead" | "deal"): void {
  const { dice, now_s } = year;
  const { seller, invented, company } = lead;
  const called = about === "deal" ? (company?.name ?? invented.name) : invented.given;
  const days = dice.whole(1, about === "deal" ? 9 : 4);
  const due_date = endOfWorkday(at_s, days);
  const input = {
    name: dice.pick(TASKS[about]).replace("{name}", called),
    due_date,
    priority: dice.weighted([
      [1, 1],
      [2, 3],
      [3, 6],
      [4, 2],
    ]),
    tags: dice.happens(0.2) ? ["phone"] : [],
  };
  const task: { id?: string } = {};
  year.add(at_s + 60, async (stage) => {
    const subject = about === "lead" ? lead.id : lead.deal_id;
    if (subject === undefined) return;
    const subject_type = about === "lead" ? "lead" : "opportunity";
    const userid = stage.personId(seller);
    task.id = await stage.create("task", { ...input, subject_type, subject, userid }, seller);
  });
  const isOld = due_date < now_s - 10 * DAY_s;
  // Tasks that were due long ago are always planned as completed.
  if (!isOld && dice.happens(0.3)) return;
  const done_s = year.later(due_date - days * DAY_s * 0.6, [0, 24 * days]);
  year.add(Math.max(done_s, at_s + 600), (stage) =>
    stage.patch("task", task.id, { status: "completed" }, seller),
  );
}

/** The number of days until each task is due, and its status. Overdue tasks have negative numbers. */
const OWN: readonly (readonly [due_days: number, status: string])[] = [
  [-24, "completed"],
  [-17, "completed"],
  [-12, "completed"],
  [-6, "assigned"],
  [-3, "completed"],
  [-2, "in_progress"],
  [-1, "assigned"],
  [0, "assigned"],
  [0, "in_progress"],
  [0, "completed"],
  [1, "assigned"],
  [2, "assigned"],
  [6, "reviewsubmit"],
  [13, "assigned"],
];

/** Plans tasks of the owner and the admin that do not belong to a record. */
export function planOwnTasks(year: Year): void {
  const { dice, now_s } = year;
  for (const by of ["owner", "maya"] as const satisfies readonly ActorName[]) {
    for (const [at, [days, status]] of OWN.entries()) {
      const name = TASKS.own[at % TASKS.own.length] ?? "";
      const due_date = endOfWorkday(now_s, days);
      const made_s = Math.min(due_date, now_s) - dice.between(2, 6) * DAY_s;
      const input = { name, due_date, priority: dice.whole(1, 4), action: "general" };
      const task: { id?: string } = {};
      year.add(made_s, async (stage) => {
        const userid = stage.personId(by);
        task.id = await stage.create("task", { ...input, userid }, "maya");
      });
      if (status === "assigned") continue;
      year.add(made_s + dice.between(0.5, 1.9) * DAY_s, (stage) =>
        stage.patch("task", task.id, { status }, by),
      );
    }
  }
}
