/** Files that the pages create. */

export { saveFile } from "./save-file.ts";
