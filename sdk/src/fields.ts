/** Types for a list's `fields` parameter, which selects the members of each entry. */

/** Member names as a list or a comma-separated string. */
export type Fields<T> = readonly (keyof T & string)[] | string;

/** Members that are always returned if the list has them. */
type Always = "_id" | "id" | "version";

type NamesIn<F> = F extends readonly (infer N)[] ? N : F extends string ? Split<F> : never;

type Split<F extends string> = F extends `${infer N},${infer Rest}`
  ? Trim<N> | Split<Rest>
  : Trim<F>;

type Trim<N extends string> = N extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : N;

/**
 * An entry with the selected members, or with all members if `fields` is missing. If the names are
 * known only at run time, any member may be missing.
 */
export type Chosen<T, F> = [F] extends [undefined]
  ? T
  : string extends NamesIn<F>
    ? Partial<T> & Pick<T, Extract<keyof T, Always>>
    : Pick<T, Extract<keyof T, NamesIn<F> | Always>>;

/**
 * A list response whose entries have only the selected members: a plain array, or an array in an
 * envelope.
 */
export type ChosenIn<D, F> = D extends readonly (infer I)[]
  ? Chosen<I, F>[]
  : { [K in keyof D]: D[K] extends readonly (infer I)[] ? Chosen<I, F>[] : D[K] };
