/**
 * Exposes the operations as methods of resources: `leads.create(…)` for `post("/crm/leads", …)`. A
 * method takes the IDs in its path, then the body or the query, then options.
 */

import type { Calls, CallMessage } from "./http/call.ts";
import type { Chosen } from "./fields.ts";
import type {
  BodyOf,
  ConditionPart,
  DataOf,
  Entry,
  FieldsOf,
  ListQuery,
  OperationOf,
  Path,
  QueryOf,
  QueryPart,
} from "./operations.ts";
import { listOf, type List } from "./pages.ts";
import type { CallOptions, Method } from "./http/request.ts";

/**
 * What a method takes after the IDs in its path. `list` and `stream` both take a query: `list` returns pages, and
 * `stream` returns a `Response`.
 */
type Input = "body" | "query" | "none" | "list" | "stream";

/** A method, defined by the operation's HTTP method and path. */
type Row = readonly [method: Method, path: Path, input: Input];

/** Resources by name, each with its methods by name. Methods can also be at the top level. */
interface Table {
  readonly [name: string]: Row | Table;
}

/** The IDs in a path: none, one or two. */
type Ids<P extends string> = P extends `${string}/by/${string}`
  ? [key: string]
  : P extends `${string}{${string}{${string}`
    ? [id: string, inner_id: string]
    : P extends `${string}{${string}`
      ? [id: string]
      : [];

type BodyInput<O> = Partial<BodyOf<O>> extends BodyOf<O> ? [body?: BodyOf<O>] : [body: BodyOf<O>];

/**
 * The options of a method. For operations that have a body or read a single record, they also
 * contain the query.
 */
type Options<O> = CallOptions & ConditionPart<O> & QueryPart<O>;

interface ListMethod<P extends Path> {
  <const F extends FieldsOf<P> = undefined>(
    ...input: [
      ...ids: Ids<P>,
      query?: ListQuery<P> & { readonly fields?: F },
      options?: CallOptions,
    ]
  ): List<Chosen<Entry<P>, F>>;
}

type BodyMethod<M extends Method, P extends Path> = (
  ...input: [
    ...ids: Ids<P>,
    ...body: BodyInput<OperationOf<P, M>>,
    options?: Options<OperationOf<P, M>>,
  ]
) => Promise<DataOf<P, M>>;

type QueryMethod<M extends Method, P extends Path, Returned> = (
  ...input: [...ids: Ids<P>, query?: QueryOf<OperationOf<P, M>>, options?: CallOptions]
) => Promise<Returned>;

type BareMethod<M extends Method, P extends Path> = (
  ...input: [...ids: Ids<P>, options?: Options<OperationOf<P, M>>]
) => Promise<DataOf<P, M>>;

type MethodOf<M extends Method, P extends Path, I> = I extends "list"
  ? ListMethod<P>
  : I extends "body"
    ? BodyMethod<M, P>
    : I extends "query"
      ? QueryMethod<M, P, DataOf<P, M>>
      : I extends "stream"
        ? QueryMethod<M, P, Response>
        : BareMethod<M, P>;

/** The methods in a table, with their operations' types. */
export type Resources<T> = {
  readonly [K in keyof T]: T[K] extends readonly [
    infer M extends Method,
    infer P extends Path,
    infer I,
  ]
    ? MethodOf<M, P, I>
    : Resources<T[K]>;
};

export function resourcesOf<T extends Table>(calls: Calls, table: T): Resources<T> {
  const methods = Object.entries(table).map(([name, entry]) => [
    name,
    isRow(entry) ? methodOf(calls, entry) : resourcesOf(calls, entry),
  ]);
  return Object.fromEntries(methods) as Resources<T>;
}

const isRow = (entry: Row | Table): entry is Row => Array.isArray(entry);

function methodOf(calls: Calls, [method, path, input]: Row) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const messageOf = (given: readonly unknown[]): CallMessage => {
    const ids = names.map((name, at) => [name, given[at]]);
    const [first, second] = given.slice(names.length) as [unknown, CallMessage | undefined];
    const options = input === "none" ? (first as CallMessage | undefined) : second;
    return {
      ...options,
      path: Object.fromEntries(ids) as Record<string, string>,
      ...(input === "body" && { body: first }),
      ...((input === "query" || input === "list" || input === "stream") && {
        query: first as CallMessage["query"],
      }),
    };
  };
  if (input === "list") return (...given: unknown[]) => listOf(calls, path, messageOf(given));
  if (input === "stream")
    return (...given: unknown[]) => calls.open(method, path, messageOf(given));
  return async (...given: unknown[]) => (await calls.call(method, path, messageOf(given))).data;
}
