/** An HTTP operation of the API as data. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, type Tx } from "../database/index.ts";
import { type Issue } from "../errors/index.ts";
import type { Condition, Conditions } from "./entity-tags.ts";
import type { JsonObject } from "../json/index.ts";
import type { Check, Given, Parameters, Schema, Typed } from "../validation/index.ts";
import type { Elements, SeparateList } from "./request-body.ts";

/** The type of a body: its check, and its schema in openapi.json. */
export interface BodyShape<B = JsonObject> {
  readonly name: string;
  readonly schema: Schema;
  readonly check: Check;
  /** Never set. It passes the type of the checked body to the handler. */
  readonly typed?: B;
  /**
   * Whether the body changes nothing, which returns 400 before anything else is checked. Gets an object whose members
   * may have any type.
   */
  readonly isEmpty?: (body: JsonObject) => boolean;
  /** A list whose elements the operation parses and checks one by one. */
  readonly separate?: SeparateList;
}

/** Creates a body type, named after the title of its schema. The handler gets a body of the schema's type. */
export const bodyShape = <const S extends Schema & { readonly title: string }>(
  schema: S,
  compile: (schema: Schema) => Check,
): BodyShape<Typed<S>> => ({ name: schema.title, schema, check: compile(schema) });

/** All parameters are present, as in a path. */
export type Complete<T> = { readonly [K in keyof T]: NonNullable<T[K]> };

/** The input of an operation's handler. */
export interface Call<C, P extends Parameters, Q extends Parameters, B = JsonObject> {
  readonly caller: C;
  readonly path: Complete<Given<P>>;
  readonly query: Given<Q>;
  readonly body: B;
  /** The elements of the body's separate list. */
  readonly elements: Elements;
  /** The conditions that were sent. */
  readonly conditions: Conditions;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly write: Write;
}

/**
 * Runs the writes of a call and returns their result, which is the response. Set response headers inside `work`. `db`
 * may already be inside a transaction.
 */
export type Write = <T>(work: (db: Db | Tx) => Promise<T>) => Promise<T>;

/** Security schemes other than a tenant's credential. */
export type Security = "PartnerToken" | "SessionCookie" | "PartnerCookie";

export interface Operation<
  C,
  P extends Parameters = Parameters,
  Q extends Parameters = Parameters,
  B = JsonObject,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with Fastify's `:name` for parameters. */
  readonly url: string;
  /**
   * Whether this path was added after a path with an id in the same position. For all other
   * methods, the last segment is still an id, so their responses do not change.
   */
  readonly isIdToOthers?: true;
  /** The operationId in openapi.json. */
  readonly id: string;
  /** Short and imperative, without a period: "List leads". */
  readonly summary: string;
  /** Additional sentences. The permission is appended. */
  readonly description?: string;
  readonly tag: string;
  readonly permission: string;
  /** The credential. Default: access tokens and sessions. Null: none. */
  readonly security?: Security | null;
  readonly path?: P;
  readonly query?: Q;
  readonly body?: BodyShape<B>;
  /** Issues of a body that depend on the caller and the path. Returned together with all other issues. */
  readonly bodyIssues?: (caller: C, body: JsonObject, path: Given<P>) => readonly Issue[];
  /** A missing body counts as an empty object. */
  readonly bodyOptional?: true;
  /** The body is a stream of any size that the operation reads from `request.body`. */
  readonly streamed?: true;
  /** The media types of files that the operation accepts (`streamed`) or returns, for openapi.json. */
  readonly files?: { readonly taken?: readonly string[]; readonly returned?: readonly string[] };
  readonly bodyLimit_bytes?: number;
  /**
   * The conditional headers that the operation supports. Reads return 304 if the condition matches.
   * Writes with any other conditional header fail, so that no client believes that the write is
   * protected.
   */
  readonly conditions?: readonly Condition[];
  /** The response is one stored record with its ETag. */
  readonly returnsRecord?: true;
  /** With `Prefer: count=exact`, the response contains the total number of entries. */
  readonly isCounted?: true;
  /** Descriptions of further request headers, by name. The operation reads them itself. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Descriptions of further headers of a successful response, by name. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Whether the POST changes nothing, so that it also works while the disk is full. */
  readonly readsOnly?: true;
  /** The response is a stream that stays open and does not count as a request in progress. */
  readonly staysOpen?: true;
  /** The operation does not support Idempotency-Key, because each response must be new. */
  readonly keyless?: true;
  /**
   * The operation's statement itself confirms that the cached caller is up to date, so no separate statement reads the
   * caller. It throws NotConfirmed if the caller has changed, and is then run again with the current caller. It is also
   * run again after any other failure if the caller has changed, so a failure must not leave anything behind.
   */
  readonly confirms?: true;
  /** The schema of the successful response. */
  readonly answer: Schema;
  /** The status of a successful response, if it is not 200. */
  readonly status?: 207;
  /** The response contains a secret that is shown only once. Implies `noStore`. */
  readonly secretResponse?: true;
  /** Whether caches must not store the response, because it contains a secret or belongs to a user's session. */
  readonly noStore?: true;
  /** Descriptions of errors by status, if the general ones do not fit. */
  readonly failures?: Readonly<Record<number, string>>;
  readonly run: (call: Call<C, P, Q, B>) => Promise<unknown>;
}

/**
 * Declares an operation. The types of path, query and body in its handler follow from their descriptions, and
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
