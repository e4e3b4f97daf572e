/** JSON types and helpers. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses JSON text. Throws a SyntaxError. */
export const parseJson = (text: string): Json => JSON.parse(text) as Json;

/** Returns a value that is an object. Returns an empty object for other values. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns a value that is a list. Returns an empty list for other values. */
export const asList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/** Makes nullable members optional instead of nullable. */
type Given<T> = string extends keyof T
  ? T
  : { readonly [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]> } & {
      readonly [K in keyof T as null extends T[K] ? never : K]: T[K];
    };

/** Removes null members, which mean the same as missing ones. */
export const givenIn = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Given<T>;

/** Returns a copy with only the named members, in the order of `names`. Skips names that the object does not have. */
export const pick = <T extends object, const K extends keyof T & string>(
  object: T,
  names: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(
    names.flatMap((name) => (name in object ? [[name, object[name]]] : [])),
  ) as Pick<T, K>;

/** Returns a function that reduces objects to the named members, or returns them unchanged if `names` is undefined. */
export const choosing =
  <T extends object>(names: readonly string[] | undefined) =>
  (object: T): object =>
    names === undefined ? object : pick(object, names as readonly (keyof T & string)[]);

/** Returns the typed keys of an object literal. */
export const namesOf = <K extends string>(
  table: Readonly<Partial<Record<K, unknown>>>,
): readonly K[] => Object.keys(table) as K[];

/** Whether two JSON values are equal, regardless of the order of members. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** Returns a JSON text that is the same for all values that are equal (`sameJson`). */
export const canonicalJson = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) => (isObject(part) ? withSortedMembers(part) : part));

const withSortedMembers = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const hasNoMembers = (value: object): boolean => Object.keys(value).length === 0;
