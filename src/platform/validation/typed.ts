/** Types that follow from JSON Schemas (decision 6), and the schemas that bodies are written with. */

import type { FromSchema } from "json-schema-to-ts";
import type { Json, JsonObject } from "../json/index.ts";
import type { Schema } from "./validation.ts";

/** Schemas of members, by their names. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The type of the values that a schema admits; of a schema that is not known as it is written, any object. */
export type Typed<S> = string extends keyof S
  ? JsonObject
  : AsJson<FromSchema<S & object, { keepDefaultedPropertiesOptional: true }>>;

/** What the schema leaves open is JSON. */
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

/** The members that are named; of further ones, which may be there, nothing is known. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** An object with all of these members. */
export type Members<P extends Schemas> = { readonly [K in keyof P]: Typed<P[K]> };

/** The schema of an object that a response contains; it has all members, unless others are named. */
export const objectSchema = <
  const P extends Schemas,
  const R extends keyof P & string = keyof P & string,
>(
  properties: P,
  required: readonly R[] = Object.keys(properties) as R[],
) => ({ type: "object", properties, required }) as const;

type Nullable<S> = {
  readonly [K in keyof S]: K extends "type"
    ? readonly [S[K], "null"]
    : K extends "enum"
      ? S[K] extends readonly unknown[]
        ? readonly [...S[K], null]
        : never
      : S[K];
};

/** The schema of a value that may be null as well. */
export const nullable = <const S extends { readonly type: string }>(schema: S) =>
  ({
    ...schema,
    type: [schema.type, "null"],
    ...("enum" in schema && { enum: [...(schema.enum as readonly unknown[]), null] }),
  }) as Nullable<S>;

/** The schema of a request body: it must have all members, unless others are named, and no further ones. */
export function bodySchema<
  const T extends string,
  const P extends Schemas,
  const R extends keyof P & string = keyof P & string,
>(title: T, properties: P, required: readonly R[] = Object.keys(properties) as R[]) {
  const schema = { title, type: "object", properties, additionalProperties: false } as const;
  return (required.length === 0 ? schema : { ...schema, required }) as typeof schema & {
    readonly required: readonly R[];
  };
}
