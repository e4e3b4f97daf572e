/** Downloads a CSV file created in the browser. */

import { saveFile } from "../../ui/files/index.ts";
import { writeCsv } from "./csv.ts";

export async function downloadCsv(
  name: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  saveFile(name, new Blob([await writeCsv(rows)], { type: "text/csv" }));
}
