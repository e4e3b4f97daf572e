/** Derives types from JSON Schemas (ADR-0006), and provides helpers for body schemas. */

import type { FromSchema } from "json-schema-to-ts";
import type { Json, JsonObject } from "../json/index.ts";
import type { Schema } from "../validation/index.ts";

/** Member schemas, keyed by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The type of the values that a schema accepts. If the schema is not a literal type, this is any object. */
export type Typed<S> = string extends keyof S
  ? JsonObject
  : AsJson<FromSchema<S & object, { keepDefaultedPropertiesOptional: true }>>;

/** Replaces `unknown` in a type with `Json`. */
type AsJson<T> = unknown extends T
  ? Json
  : T extends readonly (infer Item)[]
    ? readonly AsJson<Item>[]
    : T extends object
      ? [keyof Named<T>] extends [never]
        ? unknown extends T[keyof T]
          ? JsonObject
          : { readonly [name: string]: AsJson<T[keyof T]> }
        : { readonly [K in keyof Named<T>]: AsJson<Named<T>[K]> }
      : T;

/** The named members of a type, without its index signature. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The type of an object with all of these members. */
export type Members<P extends Schemas> = { readonly [K in keyof P]: Typed<P[K]> };

/** Returns the schema of an object in a response. All members are required unless `required` lists fewer. */
export const objectSchema = <
  const P extends Schemas,
  const R extends keyof P & string = keyof P & string,
>(
  properties: P,
  required: readonly R[] = Object.keys(properties) as R[],
) => ({ type: "object", required, properties }) as const;

/** Describes a schema for openapi.json. */
export const described = <const S extends Schema>(schema: S, description: string) => ({
  ...schema,
  description,
});

interface Described<T extends string> {
  (description: string): { readonly type: T; readonly description: string };
  <const K extends Schema>(
    description: string,
    keywords: K,
  ): { readonly type: T } & K & { readonly description: string };
}

const ofType =
  <const T extends string>(type: T): Described<T> =>
  (description: string, keywords: Schema = {}) =>
    ({ type, ...keywords, description }) as never;

/** Return a schema with a description and, optionally, other keywords. */
export const string = ofType("string");
export const integer = ofType("integer");
export const number = ofType("number");
export const boolean = ofType("boolean");

type Nullable<S> = {
  readonly [K in keyof S]: K extends "type"
    ? readonly [S[K], "null"]
    : K extends "enum"
      ? S[K] extends readonly unknown[]
        ? readonly [...S[K], null]
        : never
      : S[K];
};

export const nullable = <const S extends { readonly type: string }>(schema: S) =>
  ({
    ...schema,
    type: [schema.type, "null"],
    ...("enum" in schema && { enum: [...(schema.enum as readonly unknown[]), null] }),
  }) as Nullable<S>;

/** When an object was created, last changed, and finished. */
export const CREATED_TS = integer("When it was created, in epoch seconds.");
export const UPDATED_TS = integer("When it was last changed, in epoch seconds.");
export const FINISHED_TS = nullable(
  integer("When it finished, in epoch seconds; null if it has not."),
);

/**
 * Returns the schema of a request body. All members are required unless `required` lists fewer. No other members are
 * allowed.
 */
export function bodySchema<
  const T extends string,
  const P extends Schemas,
  const R extends keyof P & string = keyof P & string,
>(title: T, properties: P, required: readonly R[] = Object.keys(properties) as R[]) {
  const schema = { title, type: "object", additionalProperties: false } as const;
  return {
    ...schema,
    ...(required.length > 0 && { required }),
    properties,
  } as typeof schema & { readonly required: readonly R[]; readonly properties: P };
}
