/** Plans the import of a file of trade show visitors. */

import { DAY_s } from "./calendar.ts";
import type { Year } from "./year.ts";

const VISITORS = 46;
const SHOWN_days = 96;

export function planImports(year: Year): void {
  const { dice, now_s } = year;
  const rows = Array.from({ length: VISITORS }, () => {
    const { name, email, phone } = year.person();
    const source = dice.happens(0.9) ? "Referral" : "home_show_hall_4";
    return [name, email ?? "", phone ?? "", source, "home show"];
  });
  // Adds a row that will be rejected, because it has no name, email or phone number.
  rows.splice(7, 0, ["", "", "", "Referral", "home show"]);
  rows.splice(31, 0, ["", "", "", "", "home show"]);
  const lines = [["Full Name", "Email", "Phone", "Source", "Tags"], ...rows];
  const text = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(",")).join("\n");
  const at_s = year.later(now_s - SHOWN_days * DAY_s, [0, 5]);
  year.add(at_s, (stage) =>
    stage.importFile({ file_name: "home-show-visitors.csv", text: `${text}\n` }, "maya"),
  );
}
