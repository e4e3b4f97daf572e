/** Errors of outgoing requests that got no response. */

export type OutgoingFault =
  | "bad_url"
  | "refused_address"
  | "unresolved"
  | "timeout"
  | "connection"
  | "tls";

/** The parts of an error that tenants and partners may see. */
export interface ShownError {
  readonly fault: OutgoingFault;
  readonly problem: string;
}

/**
 * `fault` and `message` are for operators. The message is one sentence without secrets. It shows
 * only the host of a URL. If these values would reveal details of the installation's network,
 * `shown` contains other values for tenants and partners.
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

/** Returns the message for a host that has no address. Hosts with a blocked address get the same message. */
export const noAddress = (host: string): string => `No allowed address was found for ${host}.`;
