/**
 * Starts a database and prints its URL, so that a test can kill this process and leave the database running. Usage:
 * `node test/kit/left-server.ts <data folder>`
 */

import { startEmbedded } from "../../src/platform/embedded/index.ts";

const [, , dataDir = ""] = process.argv;
const { url } = await startEmbedded({ dataDir, memory_bytes: 256 * 1024 * 1024 });
console.log(url);
setInterval(() => {}, 60_000);
