/**
 * The command line. Exits with 0 (success), 1 (failure), 2 (invalid usage) or 130 (canceled).
 */

import { runCommandLine } from "./command-line.ts";

// The program that reads our output may close the pipe, as `head` does. The command then continues without output.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const code = await runCommandLine(process.argv.slice(2), process.env, console);
// Exit explicitly: with process.exitCode, a remaining timer or socket would keep the process alive.
if (code !== 0) process.exit(code);
