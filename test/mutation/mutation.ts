/** An important line of the service, and how it is broken to see that a test fails. */
export interface Mutation {
  /** What `--only` selects. */
  readonly name: string;
  /** The file below src/. */
  readonly file: string;
  /** A text that the file contains exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files below test/, of which at least one must fail. */
  readonly tests: readonly string[];
  /** What would go wrong. */
  readonly why: string;
}
