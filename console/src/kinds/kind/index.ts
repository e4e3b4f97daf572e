/** What a kind of field consists of. */

export type { Filtering, InputProps, Kind, ShownProps } from "./kind.ts";
