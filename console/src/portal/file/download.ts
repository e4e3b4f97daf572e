/** Downloads a CSV file created in the browser. */

import { writeCsv } from "./csv.ts";

export async function downloadCsv(
  name: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const url = URL.createObjectURL(new Blob([await writeCsv(rows)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
