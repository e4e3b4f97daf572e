/** The operations of openapi.json as types: what a path takes, and what it answers. Types only. */

import type { paths } from "./api.ts";
import type { CallOptions, IfMatch, Method, RawBody } from "./transport.ts";

export type Path = keyof paths;

/** A partner's operations; its token is fetched by the client itself. */
export type PartnerPath = Exclude<Extract<Path, `/crm/partner/${string}`>, "/crm/partner/token">;
export type CrmPath = Exclude<Path, `/crm/partner/${string}`>;

/** Those of some paths that have a method. */
export type PathsWith<P extends Path, M extends Method> = {
  [K in P]: paths[K] extends Record<M, { responses: unknown }> ? K : never;
}[P];

export type OperationOf<P extends Path, M extends Method> = M extends keyof paths[P]
  ? NonNullable<paths[P][M]>
  : never;

/** A filter in MongoDB's query language. */
export type Filter = Readonly<Record<string, unknown>>;
/** An order: 1 ascending, -1 descending. */
export type SortOrder = Readonly<Record<string, 1 | -1>>;

/** Query parameters as they may be given here: objects where the API takes JSON, dates as dates. */
type Given<Q> = {
  readonly [K in keyof Q]: K extends "match_filter_dict"
    ? Filter | string
    : K extends "sort_dict"
      ? SortOrder | string
      : K extends "start_date" | "end_date"
        ? Date | string
        : Q[K];
};

interface WithPath<P> {
  readonly parameters: { readonly path: P };
}
interface WithQuery<Q> {
  readonly parameters: { readonly query?: Q };
}
/** A body that is a file of any media type. */
interface WithFile {
  readonly content: { readonly "application/octet-stream": string };
}
interface WithBody<B> {
  readonly content: { readonly "application/json": B };
}

export type QueryOf<O> =
  O extends WithQuery<infer Q> ? ([Q] extends [undefined] ? never : Given<NonNullable<Q>>) : never;

type PathPart<O> = O extends WithPath<infer P> ? { readonly path: P } : unknown;

type QueryPart<O> = [QueryOf<O>] extends [never] ? unknown : { readonly query?: QueryOf<O> };

/** What a body may be; operations that take `{}` may be called without. */
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

/** Whether an operation takes a header: those that do not know a condition refuse it. */
type Takes<O, Name extends string> =
  O extends WithHeader<infer H>
    ? [NonNullable<H>] extends [never]
      ? false
      : Name extends keyof NonNullable<H>
        ? true
        : false
    : false;

type ConditionPart<O> = Takes<O, "If-Match"> extends true ? IfMatch : unknown;

export type OptionsOf<O> = CallOptions &
  PathPart<O> &
  QueryPart<O> &
  BodyPart<O> &
  ConditionPart<O>;

/** Those of some paths that are read on the condition that they are new. */
export type ConditionalPath<P extends Path> = {
  [K in PathsWith<P, "get">]: Takes<OperationOf<K, "get">, "If-None-Match"> extends true
    ? K
    : never;
}[PathsWith<P, "get">];

/** The options of a call, which may be left out where none of them is needed. */
export type Arguments<P extends Path, M extends Method> =
  Partial<OptionsOf<OperationOf<P, M>>> extends OptionsOf<OperationOf<P, M>>
    ? [options?: OptionsOf<OperationOf<P, M>>]
    : [options: OptionsOf<OperationOf<P, M>>];

/** What a good answer holds. */
export type DataOf<P extends Path, M extends Method> =
  OperationOf<P, M> extends { readonly responses: infer R }
    ? R[keyof R & (200 | 207)] extends WithBody<infer T>
      ? T
      : undefined
    : undefined;

/** The lists: what can be read page by page. */
export type ListPath<P extends Path> = {
  [K in PathsWith<P, "get">]: QueryOf<OperationOf<K, "get">> extends { readonly cursor?: string }
    ? [QueryOf<OperationOf<K, "get">>] extends [never]
      ? never
      : K
    : never;
}[PathsWith<P, "get">];

/** One entry of a list, whether it comes bare or in an envelope. */
export type ItemOf<T> = T extends readonly (infer I)[]
  ? I
  : { [K in keyof T]: T[K] extends readonly (infer I)[] ? I : never }[keyof T];
