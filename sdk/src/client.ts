/**
 * Clients for the CRM API and the partner API, with all operations and their types from
 * openapi.json.
 */

import type { FeedChange } from "./api.ts";
import { createCalls, type Answer, type CallMessage, type Calls } from "./http/call.ts";
import {
  editRecord,
  type ChangesOf,
  type EditOptions,
  type RecordName,
  type RecordOf,
} from "./edit.ts";
import { authorized, type Credentials } from "./http/credentials.ts";
import { watched, type Hooks } from "./http/hooks.ts";
import { streamChanges, type StreamOptions } from "./feed/change-stream.ts";
import { readChanges, type ChangesOptions } from "./feed/changes.ts";
import { pollWindow, type PollOptions } from "./feed/poll.ts";
import type { Chosen, ChosenIn, Fields } from "./fields.ts";
import type {
  Arguments,
  ConditionalPath,
  CrmPath,
  DataOf,
  Entry,
  FieldsOf,
  FieldsOptions,
  FieldsPath,
  ListPath,
  ListQuery,
  OperationOf,
  OptionsOf,
  PartnerPath,
  Path,
  PathsWith,
} from "./operations.ts";
import { listOf, type List } from "./pages.ts";
import { partnerCredentials, type PartnerCredentials } from "./partner.ts";
import { resourcesOf, type Resources } from "./resource-methods.ts";
import { CRM_RESOURCES, PARTNER_RESOURCES } from "./resources.ts";
import {
  checked,
  required,
  type CheckedSettings,
  type TransportSettings,
} from "./http/settings.ts";
import type { IfNoneMatch, Method } from "./http/request.ts";
import { createSend, sendOnce } from "./http/transport.ts";

export interface ClientSettings extends TransportSettings {
  /**
   * An access token, or a function that returns the current token. Default: the environment
   * variable LEADPORT_TOKEN.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
}

export interface PartnerClientSettings extends TransportSettings, PartnerCredentials {}

/** The paths of lists with a time window. */
export type WindowPath = Extract<
  ListPath<CrmPath>,
  `${string}/${"created" | "updated" | "status_updated"}`
>;

type Loop<T> = AsyncGenerator<T, void, undefined>;

type Verb<P extends Path, M extends Method> = <K extends PathsWith<P, M>>(
  path: K,
  ...options: Arguments<K, M>
) => Promise<DataOf<K, M>>;

interface Get<P extends Path> {
  /** With `fields`, each entry of a list has only the selected members. */
  <K extends FieldsPath<P>, const F extends Fields<Entry<K>>>(
    path: K,
    options: FieldsOptions<K, F>,
  ): Promise<ChosenIn<DataOf<K, "get">, F>>;
  <K extends PathsWith<P, "get">>(
    path: K,
    ...options: Arguments<K, "get">
  ): Promise<DataOf<K, "get">>;
}

interface Request<P extends Path> {
  /** With `fields`, each entry of a list has only the selected members. */
  <K extends FieldsPath<P>, const F extends Fields<Entry<K>>>(
    method: "get",
    path: K,
    options: FieldsOptions<K, F>,
  ): Promise<Answer<ChosenIn<DataOf<K, "get">, F>>>;
  <M extends Method, K extends PathsWith<P, M>>(
    method: M,
    path: K,
    ...options: Arguments<K, M>
  ): Promise<Answer<DataOf<K, M>>>;
  /** With `ifNoneMatch`, if that version is current, the status is 304 and there is no data. */
  <K extends ConditionalPath<P>>(
    method: "get",
    path: K,
    options: OptionsOf<OperationOf<K, "get">> & IfNoneMatch,
  ): Promise<Answer<DataOf<K, "get"> | undefined>>;
}

/** Each method returns the response body, or throws a LeadportError or ConnectionFailed. */
export interface Client<P extends Path> {
  readonly get: Get<P>;
  readonly put: Verb<P, "put">;
  readonly post: Verb<P, "post">;
  readonly patch: Verb<P, "patch">;
  readonly delete: Verb<P, "delete">;
  /** Like the methods above, but also returns the response's metadata: status, ETag, headers. */
  readonly request: Request<P>;
  /** Like `request`, but does not read the body. For exports and other streams. */
  readonly open: <M extends Method, K extends PathsWith<P, M>>(
    method: M,
    path: K,
    ...options: Arguments<K, M>
  ) => Promise<Response>;
  /** Iterates over all entries in a list. Each page is fetched when the loop reaches it. */
  readonly pages: <K extends ListPath<P>, const F extends FieldsOf<K> = undefined>(
    path: K,
    query?: ListQuery<K> & { readonly fields?: F },
    options?: Omit<OptionsOf<OperationOf<K, "get">>, "query">,
  ) => List<Chosen<Entry<K>, F>>;
}

export interface CrmClient extends Client<CrmPath>, Resources<typeof CRM_RESOURCES> {
  /**
   * Reads a record, applies your function, and writes the result if the record has not changed in
   * the meantime. If it has changed, `edit` starts over.
   */
  readonly edit: <N extends RecordName>(
    name: N,
    id: string,
    change: (record: RecordOf<N>) => ChangesOf<N> | undefined | Promise<ChangesOf<N> | undefined>,
    options?: EditOptions,
  ) => Promise<RecordOf<N>>;
  /** Iterates over all changes to the tenant's records by polling. */
  readonly changes: (options?: ChangesOptions) => Loop<FeedChange>;
  /** Iterates over all changes to the tenant's records as they happen. */
  readonly changeStream: (options?: StreamOptions) => Loop<FeedChange>;
  /** Iterates over all changes in a time window by polling it without gaps. */
  readonly poll: <K extends WindowPath, const F extends FieldsOf<K> = undefined>(
    path: K,
    options?: PollOptions & {
      readonly query?: Omit<ListQuery<K>, "start_date" | "end_date"> & { readonly fields?: F };
    },
  ) => Loop<Chosen<Entry<K>, F>>;
}

export interface PartnerClient extends Client<PartnerPath>, Resources<typeof PARTNER_RESOURCES> {}

export type SessionClient = Client<Path>;

/**
 * Returns a client for the CRM API. Throws a TypeError if the URL or the token is missing or
 * malformed.
 */
export function createClient({ token, ...settings }: ClientSettings = {}): CrmClient {
  const transport = checked(settings);
  const calls = callsOf(transport, { header: tokenHeader(token) });
  return {
    ...typed<CrmPath>(calls),
    ...resourcesOf(calls, CRM_RESOURCES),
    edit: (name, id, change, options = {}) =>
      editRecord(calls, { name, id }, change, options) as never,
    changes: (options = {}) => readChanges(calls, options),
    changeStream: (options = {}) => streamChanges(calls, options),
    poll: (path, { query, ...options } = {}) => pollWindow(calls, path, query, options) as never,
  };
}

const TOKEN = { option: "token", variable: "LEADPORT_TOKEN", what: "an access token" };

function tokenHeader(given: ClientSettings["token"]): () => Promise<string> {
  const token = required(given, TOKEN);
  if (typeof token === "string") return async () => `Bearer ${token.trim()}`;
  return async () => {
    const current = await token();
    if (current) return `Bearer ${current.trim()}`;
    throw new TypeError("The function `token` of the Leadport client returned no token.");
  };
}

/**
 * Returns a client for the partner API, which requests its own tokens. Throws a TypeError if the
 * URL, the partner ID or the access code is missing, or if the URL is malformed.
 */
export function createPartnerClient(settings: PartnerClientSettings = {}): PartnerClient {
  const { partner_id, access_code, ...given } = settings;
  const transport = checked(given);
  const calls = callsOf(transport, partnerCredentials(transport, { partner_id, access_code }));
  return { ...typed<PartnerPath>(calls), ...resourcesOf(calls, PARTNER_RESOURCES) };
}

/** The settings of a session client. `url` is the origin of the page. */
export interface SessionClientSettings extends Omit<TransportSettings, keyof Hooks> {
  readonly url: string | URL;
}

/**
 * Returns a client for pages that the service itself serves. The browser sends the signed-in user's
 * cookie with each request. Throws a TypeError if the URL is malformed.
 */
export function createSessionClient(settings: SessionClientSettings): SessionClient {
  const url = new URL(settings.url);
  const headers = new Headers(settings.headers);
  return typed<Path>(createCalls(createSend({ ...settings, url, headers }, sendOnce)));
}

const callsOf = (settings: CheckedSettings, credentials: Credentials): Calls =>
  createCalls(createSend(settings, authorized(watched(sendOnce, settings), credentials)));

/**
 * Adds the types from openapi.json to untyped calls. The types differ by path, but the calls are
 * the same at run time.
 */
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
      listOf(calls, path, { ...options, query }),
  };
  return client as unknown as Client<P>;
}
