/** A mutation: an important line of the service, and how to break it to check that a test fails. */
export interface Mutation {
  /** The mutation's name, for `--only`. */
  readonly name: string;
  /** The path below src/. */
  readonly file: string;
  /** A string that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files below test/, at least one of which must fail. */
  readonly tests: readonly string[];
  /** The consequence of the mutation. */
  readonly why: string;
}
