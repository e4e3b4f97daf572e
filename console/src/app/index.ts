/** Every address of the pages. */

export { router } from "./router.tsx";
export { contrast, theme } from "./theme.ts";
