/**
 * A database whose service is killed, run as a separate process: prints its address once it runs, and is then
 * killed by the test. `node test/kit/left-server.ts <data folder>`
 */

import { startEmbedded } from "../../src/platform/embedded/index.ts";

const [, , dataDir = ""] = process.argv;
const { url } = await startEmbedded({ dataDir, memory_bytes: 256 * 1024 * 1024 });
console.log(url);
setInterval(() => {}, 60_000);
