/** The clients: every operation of the CRM API and of the partner API, typed by openapi.json. */

import type { FeedChange } from "./api.ts";
import { createCalls, type Answer, type CallMessage, type Calls } from "./call.ts";
import { streamChanges, type StreamOptions } from "./change-stream.ts";
import { readChanges, type ChangesOptions } from "./changes.ts";
import {
  editRecord,
  type ChangesOf,
  type EditOptions,
  type RecordName,
  type RecordOf,
} from "./edit.ts";
import type {
  Arguments,
  ConditionalPath,
  CrmPath,
  DataOf,
  ItemOf,
  ListPath,
  OperationOf,
  OptionsOf,
  PartnerPath,
  Path,
  PathsWith,
  QueryOf,
} from "./operations.ts";
import { entriesOf } from "./pages.ts";
import { partnerCredentials, type PartnerCredentials } from "./partner.ts";
import { pollWindow, type PollOptions } from "./poll.ts";
import {
  createSend,
  type Credentials,
  type IfNoneMatch,
  type Method,
  type TransportSettings,
} from "./transport.ts";

export interface ClientSettings extends TransportSettings {
  /** An access token, or what gives the one of the moment. */
  readonly token: string | (() => string | Promise<string>);
}

export interface PartnerClientSettings extends TransportSettings, PartnerCredentials {}

/** The lists that tell what happened in a span of time. */
export type WindowPath = Extract<
  ListPath<CrmPath>,
  `${string}/${"created" | "updated" | "status_updated"}`
>;

/** The filters and the order of a list; where its pages begin and end is the client's business. */
type Question<P extends Path> = Omit<QueryOf<OperationOf<P, "get">>, "cursor" | "page_num">;

type Entry<P extends Path> = ItemOf<DataOf<P, "get">>;

type Loop<T> = AsyncGenerator<T, void, undefined>;

type Verb<P extends Path, M extends Method> = <K extends PathsWith<P, M>>(
  path: K,
  ...options: Arguments<K, M>
) => Promise<DataOf<K, M>>;

interface Request<P extends Path> {
  <M extends Method, K extends PathsWith<P, M>>(
    method: M,
    path: K,
    ...options: Arguments<K, M>
  ): Promise<Answer<DataOf<K, M>>>;
  /** Without data, and with the status 304, where the version is still the present one. */
  <K extends ConditionalPath<P>>(
    method: "get",
    path: K,
    options: OptionsOf<OperationOf<K, "get">> & IfNoneMatch,
  ): Promise<Answer<DataOf<K, "get"> | undefined>>;
}

/** Each method gives what the service answers, or throws a LeadportError or ConnectionFailed. */
export interface Client<P extends Path> {
  readonly get: Verb<P, "get">;
  readonly put: Verb<P, "put">;
  readonly post: Verb<P, "post">;
  readonly patch: Verb<P, "patch">;
  readonly delete: Verb<P, "delete">;
  /** The same with what stands beside the body: status, ETag, headers. */
  readonly request: Request<P>;
  /** The same with the body unread, for exports and other streams. */
  readonly open: <M extends Method, K extends PathsWith<P, M>>(
    method: M,
    path: K,
    ...options: Arguments<K, M>
  ) => Promise<Response>;
  /** Every entry of a list, read page by page as the loop goes on. */
  readonly pages: <K extends ListPath<P>>(
    path: K,
    query?: Question<K>,
    options?: Omit<OptionsOf<OperationOf<K, "get">>, "query">,
  ) => Loop<Entry<K>>;
}

export interface CrmClient extends Client<CrmPath> {
  /** Changes a record as it is now: see editRecord. */
  readonly edit: <N extends RecordName>(
    name: N,
    id: string,
    change: (record: RecordOf<N>) => ChangesOf<N> | undefined | Promise<ChangesOf<N> | undefined>,
    options?: EditOptions,
  ) => Promise<RecordOf<N>>;
  /** Every change of the tenant's records, by asking. */
  readonly changes: (options?: ChangesOptions) => Loop<FeedChange>;
  /** Every change of the tenant's records, as it happens. */
  readonly changeStream: (options?: StreamOptions) => Loop<FeedChange>;
  /** Every change that a window tells of, by polling it without gaps. */
  readonly poll: <K extends WindowPath>(
    path: K,
    options?: PollOptions & { readonly query?: Omit<Question<K>, "start_date" | "end_date"> },
  ) => Loop<Entry<K>>;
}

export type PartnerClient = Client<PartnerPath>;

export type SessionClient = Client<Path>;

/** A client of the CRM API. */
export function createClient({ token, ...settings }: ClientSettings): CrmClient {
  const header = async () => `Bearer ${typeof token === "string" ? token : await token()}`;
  const calls = callsOf(settings, { header });
  return {
    ...typed<CrmPath>(calls),
    edit: (name, id, change, options = {}) =>
      editRecord(calls, { name, id }, change, options) as never,
    changes: (options = {}) => readChanges(calls, options),
    changeStream: (options = {}) => streamChanges(calls, options),
    poll: (path, { query, ...options } = {}) => pollWindow(calls, path, query, options) as never,
  };
}

/** A client of the partner API, which fetches its tokens itself. */
export function createPartnerClient(settings: PartnerClientSettings): PartnerClient {
  const { partner_id, access_code, ...transport } = settings;
  const credentials = partnerCredentials(transport, { partner_id, access_code });
  return typed<PartnerPath>(callsOf(transport, credentials));
}

/**
 * A client for pages that the service itself serves: the cookie of who is signed in goes with each
 * request by itself, to every operation.
 */
export const createSessionClient = (settings: TransportSettings): SessionClient =>
  typed<Path>(callsOf(settings));

const callsOf = (settings: TransportSettings, credentials?: Credentials): Calls =>
  createCalls(createSend(settings, credentials));

/** The calls under the types of openapi.json, which are all that tells the methods apart. */
function typed<P extends Path>(calls: Calls): Client<P> {
  const verb = (method: Method) => async (path: string, message?: CallMessage) =>
    (await calls.call(method, path, message)).data;
  const client = {
    get: verb("get"),
    put: verb("put"),
    post: verb("post"),
    patch: verb("patch"),
    delete: verb("delete"),
    request: calls.call,
    open: calls.open,
    pages: (path: string, query?: CallMessage["query"], options?: CallMessage) =>
      entriesOf(calls, path, { ...options, query }),
  };
  return client as unknown as Client<P>;
}
