/** Saves files that are created in the browser. */

export { saveFile } from "./save-file.ts";
