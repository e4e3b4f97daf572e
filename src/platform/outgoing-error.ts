/** Why a request that left through platform/outgoing.ts has no answer (D9.6). */

export type OutgoingFault =
  | "bad_url"
  | "refused_address"
  | "unresolved"
  | "timeout"
  | "connection"
  | "tls";

/** The message is one sentence without secrets: of a URL it names the host alone. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly fault: OutgoingFault;

  constructor(fault: OutgoingFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
