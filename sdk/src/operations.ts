/** The operations in openapi.json as types: each path's parameters and response. Types only. */

import type { paths } from "./api.ts";
import type { Fields } from "./fields.ts";
import type { CallOptions, IfMatch, Method, RawBody } from "./http/request.ts";

export type Path = keyof paths;

/** The paths of the partner API, except for requesting tokens, which the client does itself. */
export type PartnerPath = Exclude<Extract<Path, `/crm/partner/${string}`>, "/crm/partner/token">;
export type CrmPath = Exclude<Path, `/crm/partner/${string}`>;

/** The paths that support a method. */
export type PathsWith<P extends Path, M extends Method> = {
  [K in P]: paths[K] extends Record<M, { responses: unknown }> ? K : never;
}[P];

export type OperationOf<P extends Path, M extends Method> = M extends keyof paths[P]
  ? NonNullable<paths[P][M]>
  : never;

/** A filter in MongoDB's query language. */
export type Filter = Readonly<Record<string, unknown>>;
/** A sort order: 1 for ascending, -1 for descending. */
export type SortOrder = Readonly<Record<string, 1 | -1>>;

/** Query parameters as callers pass them: objects for JSON, Date objects for dates. */
type Given<Q> = {
  readonly [K in keyof Q]: K extends "match_filter_dict"
    ? Filter | string
    : K extends "sort_dict"
      ? SortOrder | string
      : K extends "start_date" | "end_date"
        ? Date | string
        : K extends "fields"
          ? readonly string[] | string
          : Q[K];
};

interface WithPath<P> {
  readonly parameters: { readonly path: P };
}
interface WithQuery<Q> {
  readonly parameters: { readonly query?: Q };
}
/** A request body that is a file of any media type. */
interface WithFile {
  readonly content: { readonly "application/octet-stream": string };
}
interface WithBody<B> {
  readonly content: { readonly "application/json": B };
}

export type QueryOf<O> =
  O extends WithQuery<infer Q> ? ([Q] extends [undefined] ? never : Given<NonNullable<Q>>) : never;

type PathPart<O> = O extends WithPath<infer P> ? { readonly path: P } : unknown;

export type QueryPart<O> = [QueryOf<O>] extends [never] ? unknown : { readonly query?: QueryOf<O> };

/** The request body. Operations that accept `{}` can be called without one. */
export type BodyOf<O> = O extends { readonly requestBody?: infer B }
  ? NonNullable<B> extends WithBody<infer T>
    ? T
    : NonNullable<B> extends WithFile
      ? RawBody
      : never
  : never;

type BodyPart<O> = [BodyOf<O>] extends [never]
  ? unknown
  : Partial<BodyOf<O>> extends BodyOf<O>
    ? { readonly body?: BodyOf<O> }
    : { readonly body: BodyOf<O> };

interface WithHeader<H> {
  readonly parameters: { readonly header?: H };
}

/** Whether an operation takes a header. Operations that do not support conditions reject it. */
type Takes<O, Name extends string> =
  O extends WithHeader<infer H>
    ? [NonNullable<H>] extends [never]
      ? false
      : Name extends keyof NonNullable<H>
        ? true
        : false
    : false;

export type ConditionPart<O> = Takes<O, "If-Match"> extends true ? IfMatch : unknown;

export type OptionsOf<O> = CallOptions &
  PathPart<O> &
  QueryPart<O> &
  BodyPart<O> &
  ConditionPart<O>;

/** The paths that can be read conditionally. */
export type ConditionalPath<P extends Path> = {
  [K in PathsWith<P, "get">]: Takes<OperationOf<K, "get">, "If-None-Match"> extends true
    ? K
    : never;
}[PathsWith<P, "get">];

/** A call's options. They can be omitted if none of them is required. */
export type Arguments<P extends Path, M extends Method> =
  Partial<OptionsOf<OperationOf<P, M>>> extends OptionsOf<OperationOf<P, M>>
    ? [options?: OptionsOf<OperationOf<P, M>>]
    : [options: OptionsOf<OperationOf<P, M>>];

/** The body of a successful response. */
export type DataOf<P extends Path, M extends Method> =
  OperationOf<P, M> extends { readonly responses: infer R }
    ? R[keyof R & (200 | 207)] extends WithBody<infer T>
      ? T
      : undefined
    : undefined;

/** The paths of lists, which can be read page by page. */
export type ListPath<P extends Path> = {
  [K in PathsWith<P, "get">]: QueryOf<OperationOf<K, "get">> extends { readonly cursor?: string }
    ? [QueryOf<OperationOf<K, "get">>] extends [never]
      ? never
      : K
    : never;
}[PathsWith<P, "get">];

/** One entry of a list that is returned as a plain array or in an envelope. */
export type ItemOf<T> = T extends readonly (infer I)[]
  ? I
  : { [K in keyof T]: T[K] extends readonly (infer I)[] ? I : never }[keyof T];

export type Entry<P extends Path> = ItemOf<DataOf<P, "get">>;

/** A list's filters, sort order and dates. The client itself determines where each page starts. */
export type ListQuery<P extends Path> = Omit<
  QueryOf<OperationOf<P, "get">>,
  "cursor" | "page_num" | "fields"
>;

/** The paths of lists that support `fields`. */
export type FieldsPath<P extends Path> = {
  [K in ListPath<P>]: "fields" extends keyof QueryOf<OperationOf<K, "get">> ? K : never;
}[ListPath<P>];

/**
 * The possible values of a list's `fields` parameter; only `undefined` for lists that do not
 * support it.
 */
export type FieldsOf<P extends Path> =
  | (P extends FieldsPath<P> ? Fields<Entry<P>> : never)
  | undefined;

/** The options for a list request that selects some members. */
export type FieldsOptions<P extends Path, F> = Omit<OptionsOf<OperationOf<P, "get">>, "query"> & {
  readonly query: Omit<QueryOf<OperationOf<P, "get">>, "fields"> & { readonly fields: F };
};
