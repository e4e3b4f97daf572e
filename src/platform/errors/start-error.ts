/** A reason not to start or not to go on, told in a sentence to the person at the command line. */
export class StartError extends Error {
  override readonly name = "StartError";
}
