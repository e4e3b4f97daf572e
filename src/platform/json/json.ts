/** JSON as it comes from and goes to callers. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What may be null may be left out instead. */
type Given<T> = string extends keyof T
  ? T
  : { readonly [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]> } & {
      readonly [K in keyof T as null extends T[K] ? never : K]: T[K];
    };

/** The members that are given: null means the same as none at all. */
export const givenIn = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Given<T>;

/** Some members of an object, in this order, as far as it has them. */
export const pick = <T extends object, const K extends keyof T & string>(
  object: T,
  names: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(
    names.flatMap((name) => (name in object ? [[name, object[name]]] : [])),
  ) as Pick<T, K>;

/** Reduces objects to the named members; leaves them as they are if there are no names. */
export const choosing =
  <T extends object>(names: readonly string[] | undefined) =>
  (object: T): object =>
    names === undefined ? object : pick(object, names as readonly (keyof T & string)[]);

/** The names of an object's members: of a table that is written down, which has no others. */
export const namesOf = <K extends string>(
  table: Readonly<Partial<Record<K, unknown>>>,
): readonly K[] => Object.keys(table) as K[];

/** Whether two values are the same JSON; the order of members does not count. */
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

export const hasNoMembers = (value: object): boolean => Object.keys(value).length === 0;
