/** What a kind of field consists of. */

export type { CellProps, Filtering, InputProps, Kind, ShownProps } from "./kind.ts";
