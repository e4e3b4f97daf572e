/** The error if a running import was asked to stop. It can be resumed by sending the same file again. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
