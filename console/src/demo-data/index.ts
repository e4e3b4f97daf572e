/** Demo data, shown as a section of Home and of the settings. */

export { DemoData } from "./demo-data.tsx";
