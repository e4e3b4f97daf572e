/** The run of an import was asked to stop. It continues when the same file is sent again. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
