/**
 * Starts a database in a separate process and prints its address. The test then kills the process.
 * `node test/kit/left-server.ts <data folder>`
 */

import { startEmbedded } from "../../src/platform/embedded/index.ts";

const [, , dataDir = ""] = process.argv;
const { url } = await startEmbedded({ dataDir, memory_bytes: 256 * 1024 * 1024 });
console.log(url);
setInterval(() => {}, 60_000);
