/**
 * One HTTP operation as data, and how it is hung into Fastify. The order of checks is D1.5's: 401 and
 * 403 before the body is read, then unreadable JSON, an empty PATCH, and last all that is wrong with
 * path, query and body, together.
 */

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { onBehalfOf, RequestParty } from "./admission/index.ts";
import { whenClosed } from "./connections.ts";
import type { Db, Tx } from "./db.ts";
import type { Door } from "./door.ts";
import { AppError, isRefusedAtGate, type Issue } from "./errors.ts";
import type { Condition, Conditions } from "./entity-tags.ts";
import type { PathConfig } from "./other-methods.ts";
import type { JsonObject } from "./json.ts";
import { settle, type LimitedCredential } from "./limiter.ts";
import { documentation } from "./operation-document.ts";
import { isNeverStored, isNotModified, readHeaders } from "./operation-headers.ts";
import { networkOfAddress } from "./networks.ts";
import type { Given, Parameters } from "./parameters.ts";
import { readRequest } from "./read-request.ts";
import type { Elements, SeparateList } from "./request-body.ts";
import { guardedBy, isNotStarted } from "./start-guard.ts";
import { spanOf } from "./tracing/index.ts";
import type { Known, Standing } from "./standing.ts";
import { beginTiming, noteAdmitted, noteAnswered, tellTiming, timed } from "./server-timing.ts";
import type { Check, Schema } from "./validation.ts";

/** What a body is checked against, and the schema of it that openapi.json prints. */
export interface BodyShape {
  readonly name: string;
  readonly schema: Schema;
  readonly check: Check;
  /**
   * Whether nothing is left to change in it: a 400 before anything else is checked (D1.8). Gets an object
   * whose members may be of any type.
   */
  readonly isEmpty?: (body: JsonObject) => boolean;
  /** A list whose elements the operation parses and checks itself, one by one. */
  readonly separate?: SeparateList;
}

/** What an operation is run with. */
export interface Call<C, P extends Parameters, Q extends Parameters> {
  readonly caller: C;
  readonly path: Required<{ readonly [K in keyof P]: NonNullable<Given<P>[K]> }>;
  readonly query: Given<Q>;
  readonly body: JsonObject;
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
  readonly body?: BodyShape;
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
  /** It takes no Idempotency-Key: what it answers must be made anew each time. */
  readonly keyless?: true;
  /**
   * Its own statement confirms that the caller is still as it is remembered to be, and it fails where not:
   * then no other has to be sent. Whatever fails for a caller that was remembered is done anew for the
   * caller as it is then, so nothing may be left behind by a failure.
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
  readonly run: (call: Call<C, P, Q>) => Promise<unknown>;
}

/** The body of an operation without a credential: email, password and the like. */
const ANONYMOUS_MAX_bytes = 4 * 1024;

/** Hangs an operation into the app. */
export async function addOperation<C, P extends Parameters, Q extends Parameters>(
  app: FastifyInstance,
  door: Door<C>,
  operation: Operation<C, P, Q>,
): Promise<void> {
  if (operation.streamed !== true) {
    addRoute(app, door, operation);
    return;
  }
  // In a scope of its own, where a body is handed on as the stream that it comes as.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    addRoute(scope, door, operation);
  });
}

function addRoute<C, P extends Parameters, Q extends Parameters>(
  app: FastifyInstance,
  door: Door<C>,
  operation: Operation<C, P, Q>,
): void {
  /** What the request waits for from now on counts for its credential. */
  const begin = ({ party }: Known<C>, credential: LimitedCredential): void => {
    if (party === undefined) return;
    party.identify(credential.tenantId, credential.id);
    if (operation.staysOpen === true || party.end !== undefined || party.isClosed) return;
    party.end = door.limited?.inProgress.begin(credential);
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply, isAnew: boolean) => {
    // Counted once, however often it is tried.
    (request as Known<C>).standing?.counted?.giveBack();
    const caller = await door.recognise(request, isAnew);
    const credential = door.limited?.credentialOf(caller);
    const standing: Standing<C> = {
      caller,
      holder: credential?.id,
      identity: door.identityOf?.(caller),
      isAnew,
      isStreamed: operation.streamed === true,
      counted: undefined,
    };
    (request as Known<C>).standing = standing;
    if (credential !== undefined) begin(request, credential);
    if (door.limited !== undefined && credential !== undefined) {
      standing.counted = await door.limited.limiter.take(credential);
      if (standing.counted !== undefined) reply.headers(standing.counted.headers());
    }
    door.permit(caller, operation.permission);
    noteAdmitted(request);
    return standing;
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply, standing: Standing<C>) => {
    const { caller } = standing;
    if (operation.method !== "GET" && operation.readsOnly !== true) door.disk?.mustHaveSpace();
    const said = readHeaders(operation, request);
    const run = async (write: Write): Promise<unknown> => {
      const read = readRequest(operation as never, request, caller, said.issues);
      const { conditions } = said;
      const given = { ...read, path: read.path as never, query: read.query as Given<Q> };
      return operation.run({ caller, ...given, conditions, request, reply, write });
    };
    const { keyed } = door;
    const answered =
      said.key === undefined || keyed === undefined
        ? await run((work) => work(guardedBy(request, door.sql)))
        : await keyed.keeper.answer(
            {
              credential: keyed.credentialOf(caller),
              key: said.key,
              method: operation.method,
              url: request.url,
              body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
              isSecret: operation.secretAnswer === true,
              status: operation.status ?? 200,
            },
            reply,
            run,
          );
    noteAnswered(request);
    standing.isStreamed ||= answered instanceof Readable;
    if (isNotModified(operation, said, reply)) return reply.code(304).send();
    if (operation.status !== undefined) reply.code(operation.status);
    if (!reply.hasHeader("content-type")) reply.type("application/json");
    return reply.send(answered);
  };
  const {
    bodyLimit_bytes: bodyLimit = operation.security === null ? ANONYMOUS_MAX_bytes : undefined,
  } = operation;
  app.route({
    method: operation.method,
    url: operation.url,
    schema: documentation(operation as never),
    config: { isIdToOthers: operation.isIdToOthers === true } satisfies PathConfig,
    // Its ETag names the bytes of one record as they are.
    ...(operation.answersRecord === true && { compress: false as const }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    onRequest: async (request, reply) => {
      if (isNeverStored(operation)) reply.header("cache-control", "no-store");
      beginTiming(request, reply, door.isTimed);
      refuseEmptyNames(request);
      // The statements of a stream that stays open would make its trace endless.
      const span = operation.staysOpen === true ? undefined : spanOf(request);
      const party = ((request as Known<C>).party = new RequestParty(
        networkOfAddress(request.ip),
        span,
      ));
      whenClosed(request, () => party.close());
      // What was answered before is repeated without a statement that would confirm anything.
      const isAnew = operation.confirms !== true || "idempotency-key" in request.headers;
      await onBehalfOf(party, () => {
        const admitted = admit(request, reply, isAnew);
        if (isAnew) return admitted;
        return admitted.catch((error: unknown) => {
          if (isRefusedAtGate(error)) throw error;
          return admit(request, reply, true);
        });
      });
    },
    onSend: (request, reply, _payload, done) => {
      const { standing } = request as Known<C>;
      settle(standing?.counted, reply);
      tellTiming(request, reply, standing !== undefined && standing.caller !== undefined);
      done();
    },
    handler: timed(async (request, reply) => {
      const { standing, party } = request as Required<Known<C>>;
      return onBehalfOf(party, () => {
        const answered = answer(request, reply, standing);
        if (standing.isAnew) return answered;
        return answered.catch(async (error: unknown) => {
          if (isNotStarted(error) || isRefusedAtGate(error)) throw error;
          return answer(request, reply, await admit(request, reply, true));
        });
      });
    }),
  });
}

/** A path that ends in a slash is none (D1.2), but that of a PATCH: there it is an empty id. */
export function refuseEmptyNames({ method, params }: FastifyRequest): void {
  if (method !== "PATCH" && Object.values(params as object).includes("")) {
    throw new AppError("not_found");
  }
}
