/**
 * Prints where the client reads and writes records of each type (sdk/src/records.ts).
 *
 *     node tools/sdk-records.ts > sdk/src/records.ts
 */

import { BUILT_IN_TYPES } from "../src/records/types/index.ts";

export const sdkRecords = (): string =>
  [
    "/** Where records of each type are read and written. Printed by `npm run print`. */",
    "",
    "export const RECORDS = {",
    ...Object.values(BUILT_IN_TYPES).flatMap(({ name, idName, readPaths: [read], writePath }) => [
      `  ${name}: {`,
      `    read: "${read}/{${idName}}",`,
      `    write: "${writePath}/{${idName}}",`,
      `    id: "${idName}",`,
      "  },",
    ]),
    "} as const;",
    "",
  ].join("\n");

if (import.meta.main) process.stdout.write(sdkRecords());
