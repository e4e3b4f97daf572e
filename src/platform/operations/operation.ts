/** Describes an HTTP operation of the API as data. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, type Tx } from "../database/index.ts";
import { type Issue } from "../errors/index.ts";
import type { Condition, Conditions } from "./entity-tags.ts";
import type { JsonObject } from "../json/index.ts";
import type { Check, Given, Parameters, Schema } from "../validation/index.ts";
import type { Typed } from "../schemas/index.ts";
import type { Elements, SeparateList } from "./request-body.ts";

/** A type of body: how it is checked, and its schema in openapi.json. */
export interface BodyShape<B = JsonObject> {
  readonly name: string;
  readonly schema: Schema;
  readonly check: Check;
  /** Never set. It only gives the handler the type of the checked body. */
  readonly typed?: B;
  /**
   * Whether the body would change nothing. If so, the request fails with 400 before anything else is checked, so the
   * members of `body` may have any type.
   */
  readonly isEmpty?: (body: JsonObject) => boolean;
  /** A list whose elements the operation parses and checks one by one. */
  readonly separate?: SeparateList;
}

/** Creates a body type that is named after its schema's title. The handler gets a body of the schema's type. */
export const bodyShape = <const S extends Schema & { readonly title: string }>(
  schema: S,
  compile: (schema: Schema) => Check,
): BodyShape<Typed<S>> => ({ name: schema.title, schema, check: compile(schema) });

/** Parameters that are always present, such as those in a path. */
export type Complete<T> = { readonly [K in keyof T]: NonNullable<T[K]> };

/** The input of an operation's handler. */
export interface Call<C, P extends Parameters, Q extends Parameters, B = JsonObject> {
  readonly caller: C;
  readonly path: Complete<Given<P>>;
  readonly query: Given<Q>;
  readonly body: B;
  /** The elements of the list in the body that are parsed one by one (`separate`). */
  readonly elements: Elements;
  /** The conditional headers that were sent. */
  readonly conditions: Conditions;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly write: Write;
}

/**
 * Runs the writes of a call and returns their result, which becomes the response. Set response headers inside `work`.
 * `db` may already be inside a transaction.
 */
export type Write = <T>(work: (db: Db | Tx) => Promise<T>) => Promise<T>;

/** Security schemes other than tenant credentials. */
export type Security = "PartnerToken" | "SessionCookie" | "PartnerCookie";

export interface Operation<
  C,
  P extends Parameters = Parameters,
  Q extends Parameters = Parameters,
  B = JsonObject,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, with parameters in Fastify's `:name` syntax. */
  readonly url: string;
  /**
   * Whether this path was added later than a path with an id in the same position. Methods that
   * this path does not support still treat its last segment as an id, so their responses do not
   * change.
   */
  readonly isIdToOthers?: true;
  /** The operationId in openapi.json. */
  readonly id: string;
  /** A short imperative phrase without a period, such as "List leads". */
  readonly summary: string;
  /** Further sentences for the API description. The required permission is appended automatically. */
  readonly description?: string;
  readonly tag: string;
  readonly permission: string;
  /** The required credential. Default: an access token or session. Null: none. */
  readonly security?: Security | null;
  readonly path?: P;
  readonly query?: Q;
  readonly body?: BodyShape<B>;
  /** Returns the query and the body that requests of this caller are checked against. Default: `query` and `body`. */
  readonly forCaller?: (caller: NoInfer<C>) => { readonly query?: Q; readonly body?: BodyShape<B> };
  /** Returns body issues that depend on the caller and the path. They are reported together with all other issues. */
  readonly bodyIssues?: (caller: C, body: JsonObject, path: Given<P>) => readonly Issue[];
  /** Whether a missing body counts as an empty object. */
  readonly bodyOptional?: true;
  /** Whether the body is a stream of any size that the operation reads from `request.body`. */
  readonly streamed?: true;
  /** For openapi.json: the media types of files that the operation accepts (`streamed`) or returns. */
  readonly files?: { readonly taken?: readonly string[]; readonly returned?: readonly string[] };
  readonly bodyLimit_bytes?: number;
  /**
   * The conditional headers that the operation supports. Reads return 304 if the condition matches. Writes fail if they
   * have an unsupported conditional header, because clients might otherwise assume that the write is protected.
   */
  readonly conditions?: readonly Condition[];
  /** Whether the response is one stored record with its ETag. */
  readonly returnsRecord?: true;
  /** Whether the response contains the total number of entries if requested with `Prefer: count=exact`. */
  readonly isCounted?: true;
  /** Descriptions of additional request headers, keyed by name. The operation reads these headers itself. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Descriptions of additional headers in successful responses, keyed by name. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Whether the POST changes nothing and therefore also works while the disk is full. */
  readonly readsOnly?: true;
  /** Whether the response is a stream that stays open and does not count as a request in progress. */
  readonly staysOpen?: true;
  /** Whether Idempotency-Key is not supported, because each response must be new. */
  readonly keyless?: true;
  /**
   * Whether the operation's own statement confirms that the cached caller is up to date, so that no separate statement
   * needs to read the caller. If the caller has changed, the operation throws NotConfirmed and is rerun with the
   * current caller. If it fails for any other reason after the caller has changed, it is also rerun, so a failed run
   * must have no effects.
   */
  readonly confirms?: true;
  /** The schema of the successful response. */
  readonly answer: Schema;
  /** The status of a successful response if it is not 200. */
  readonly status?: 207;
  /** Whether the response contains a secret that is shown only once. Implies `noStore`. */
  readonly secretResponse?: true;
  /** Whether caches must not store the response, because it contains a secret or belongs to a user's session. */
  readonly noStore?: true;
  /** Descriptions of errors, keyed by status, that replace the general ones. */
  readonly failures?: Readonly<Record<number, string>>;
  readonly run: (call: Call<C, P, Q, B>) => Promise<unknown>;
}

/**
 * Declares an operation. The handler's types for the path, query and body are inferred from their descriptions, and
 * `addOperation` checks requests against the same descriptions.
 */
export const operation = <
  C,
  const P extends Parameters = Parameters,
  const Q extends Parameters = Parameters,
  B = JsonObject,
>(
  described: Operation<C, P, Q, B>,
): Operation<C> => described as unknown as Operation<C>;
