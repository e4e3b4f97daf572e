/** One HTTP operation of the API, as data. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, type Tx } from "../database/index.ts";
import { type Issue } from "../errors/index.ts";
import type { Condition, Conditions } from "./entity-tags.ts";
import type { JsonObject } from "../json/index.ts";
import type { Check, Given, Parameters, Schema, Typed } from "../validation/index.ts";
import type { Elements, SeparateList } from "./request-body.ts";

/** What a body is checked against, and the schema of it that openapi.json prints. */
export interface BodyShape<B = JsonObject> {
  readonly name: string;
  readonly schema: Schema;
  readonly check: Check;
  /** Never there: it carries the type of a body that was checked to the handler. */
  readonly typed?: B;
  /**
   * Whether nothing is left to change in it: a 400 before anything else is checked. Gets an object
   * whose members may be of any type.
   */
  readonly isEmpty?: (body: JsonObject) => boolean;
  /** A list whose elements the operation parses and checks itself, one by one. */
  readonly separate?: SeparateList;
}

/** The shape of a body, named by the title of its schema; what the handler gets has the schema's type. */
export const bodyShape = <const S extends Schema & { readonly title: string }>(
  schema: S,
  compile: (schema: Schema) => Check,
): BodyShape<Typed<S>> => ({ name: schema.title, schema, check: compile(schema) });

/** Of a path every parameter is there. */
export type Complete<T> = { readonly [K in keyof T]: NonNullable<T[K]> };

/** What an operation is run with. */
export interface Call<C, P extends Parameters, Q extends Parameters, B = JsonObject> {
  readonly caller: C;
  readonly path: Complete<Given<P>>;
  readonly query: Given<Q>;
  readonly body: B;
  /** The elements of the body's separate list. */
  readonly elements: Elements;
  /** What the conditions of the operation say, those that were sent. */
  readonly conditions: Conditions;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly write: Write;
}

/**
 * Runs what a call writes, and answers what that leads to: the call's answer. Headers that belong to
 * the answer are set within. `db` may be inside a transaction already.
 */
export type Write = <T>(work: (db: Db | Tx) => Promise<T>) => Promise<T>;

/** What an operation is called by where that is not a tenant's credential. */
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
   * The path is younger than the one with an id in the place of its last word: to all other methods
   * that word is an id still, and what they answer is what they answered before.
   */
  readonly isIdToOthers?: true;
  /** What the operation is called in openapi.json. */
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly permission: string;
  /** By what it is called; access tokens and sessions without it, nothing where it is null. */
  readonly security?: Security | null;
  readonly path?: P;
  readonly query?: Q;
  readonly body?: BodyShape<B>;
  /** What is wrong with a body for this caller and this path alone, told with all the rest. */
  readonly bodyIssues?: (caller: C, body: JsonObject, path: Given<P>) => readonly Issue[];
  /** No body at all counts as an empty one. */
  readonly bodyOptional?: true;
  /** The body is a stream of any size that the operation reads itself, as `request.body`. */
  readonly streamed?: true;
  /** The media types of a file that the operation takes (`streamed`) or returns, as openapi.json prints them. */
  readonly files?: { readonly taken?: readonly string[]; readonly returned?: readonly string[] };
  readonly bodyLimit_bytes?: number;
  /**
   * The headers by which a caller says which version it means; a read that meets one answers 304. A
   * write that is sent another one is refused, so that nobody takes it for guarded.
   */
  readonly conditions?: readonly Condition[];
  /** The answer is one stored record, and has its ETag. */
  readonly answersRecord?: true;
  /** Further request headers that the operation reads itself: what they say, by their names. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** What further headers of a success say, by their names. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** A POST that changes nothing: it works while the disk is full, too. */
  readonly readsOnly?: true;
  /** The response is a stream that stays open: it does not count as a request in progress. */
  readonly staysOpen?: true;
  /** It takes no Idempotency-Key: its response must be created again each time. */
  readonly keyless?: true;
  /**
   * Its own statement confirms that the caller is still as it is remembered, so no other is needed to read
   * the caller. It throws NotConfirmed if the caller has changed, and is then run again for the caller as it
   * is; so it is after any other failure, if the caller has changed. A failure must leave nothing behind.
   */
  readonly confirms?: true;
  /** The schema of the 200, by name where it has one of its own. */
  readonly answer: Schema;
  /** The status of success, where it is not 200. */
  readonly status?: 207;
  /** The response holds a secret that is shown this once; it is `noStore`, too. */
  readonly secretAnswer?: true;
  /** No cache may store the response: it holds a secret, or belongs to one person's session. */
  readonly noStore?: true;
  /** What a failure means here, by status, where the general words do not say it. */
  readonly failures?: Readonly<Record<number, string>>;
  readonly run: (call: Call<C, P, Q, B>) => Promise<unknown>;
}

/**
 * An operation as a list of operations has it. Its handler gets path, query and body in the types of their
 * descriptions here; `addOperation` checks the request against the same descriptions.
 */
export const operation = <
  C,
  const P extends Parameters = Parameters,
  const Q extends Parameters = Parameters,
  B = JsonObject,
>(
  described: Operation<C, P, Q, B>,
): Operation<C> => described as unknown as Operation<C>;
