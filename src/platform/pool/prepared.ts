/** The statements that a connection has prepared. */

import type { Parse } from "./values.ts";

export interface Column {
  readonly name: string;
  readonly parse: Parse;
}

export interface Prepared {
  /** The declared types and the text. */
  readonly key: string;
  readonly name: string;
  /** Empty until the server has described the statement. */
  columns: readonly Column[];
}
