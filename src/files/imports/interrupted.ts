/** Thrown when a running import stops on request. It can be resumed by sending the same file again. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
