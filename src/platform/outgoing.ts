/** The one door to the network (D9.6): its shapes. */

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Of the whole request. */
  readonly timeout_s: number;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB of it. */
  readonly body: Buffer;
  readonly isCut: boolean;
}

export type OutgoingFault =
  | "bad_url"
  | "refused_address"
  | "unresolved"
  | "timeout"
  | "connection"
  | "tls";

/** Why there is no answer. The message is one sentence without secrets. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly fault: OutgoingFault;

  constructor(fault: OutgoingFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export interface Outgoing {
  readonly send: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
  readonly close: () => Promise<void>;
}
