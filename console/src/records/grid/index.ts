/** The rows of a list, as a grid or as cards. */

export { CARD_HEIGHT, Cards } from "./cards.tsx";
export { Grid, ROW_HEIGHT } from "./grid.tsx";
export { nameOf } from "./row.tsx";
export { rowsMax } from "./use-virtual-rows.ts";
