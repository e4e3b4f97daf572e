/** What programs can observe of each request, for logs and metrics. No member contains a credential. */

export interface SentRequest {
  readonly method: string;
  /** The path with the API's `{names}`, such as `/crm/leads/{lead_id}`: suitable as a label of a metric. */
  readonly template: string;
  /** The address without its query, which may contain personal data. */
  readonly url: string;
  /** 1 for the first request of a call. Retries, and requests repeated with a new token, count on. */
  readonly attempt: number;
}

export interface ReceivedResponse extends SentRequest {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** From sending the request until the body was read; of `open`, until the headers arrived. */
  readonly duration_ms: number;
  /** The request's id in the log of the service. */
  readonly requestId: string | undefined;
  /** The error of this attempt: a LeadportError, a ConnectionFailed, or the reason of an abort. */
  readonly error: unknown;
}

export interface Hooks {
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
}
