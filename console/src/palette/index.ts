/** The command palette: pages, actions and records by name. */

export { PaletteButton } from "./palette-button.tsx";
