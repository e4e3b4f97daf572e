/** Why a request that left through platform/outgoing/outgoing.ts has no answer. */

export type OutgoingFault =
  | "bad_url"
  | "refused_address"
  | "unresolved"
  | "timeout"
  | "connection"
  | "tls";

/** What tenants and partners see of an error. */
export interface ShownError {
  readonly fault: OutgoingFault;
  readonly problem: string;
}

/**
 * `fault` and `message` are for the operator. The message is one sentence without secrets: of a URL it
 * names the host alone. `shown` differs from them where they would describe the installation's network.
 */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly fault: OutgoingFault;
  readonly shown: ShownError;

  constructor(
    fault: OutgoingFault,
    message: string,
    { shown, ...options }: ErrorOptions & { readonly shown?: ShownError } = {},
  ) {
    super(message, options);
    this.fault = fault;
    this.shown = shown ?? { fault, problem: message };
  }
}

/** One sentence for a host that has no address and for a host whose address is refused. */
export const noAddress = (host: string): string =>
  `No address that requests can be sent to was found for ${host}.`;
