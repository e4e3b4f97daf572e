/** The error if the run of an import was asked to stop. The import continues when the same file is sent again. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
