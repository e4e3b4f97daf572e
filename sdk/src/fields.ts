/** `fields` of a list: the members to return, and the entries that have only these. Types only. */

/** Names of members, as a list or a comma-separated text. */
export type Fields<T> = readonly (keyof T & string)[] | string;

/** Always returned, if the list has them. */
type Always = "_id" | "id" | "version";

type NamesIn<F> = F extends readonly (infer N)[] ? N : F extends string ? Split<F> : never;

type Split<F extends string> = F extends `${infer N},${infer Rest}`
  ? Trim<N> | Split<Rest>
  : Trim<F>;

type Trim<N extends string> = N extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : N;

/**
 * The entries of a list with some members. Without `fields` they have all; if the names are known
 * only at run time, any may be missing.
 */
export type Chosen<T, F> = [F] extends [undefined]
  ? T
  : string extends NamesIn<F>
    ? Partial<T> & Pick<T, Extract<keyof T, Always>>
    : Pick<T, Extract<keyof T, NamesIn<F> | Always>>;

/** A list's response with entries that have only the chosen members: a bare list, or one in an envelope. */
export type ChosenIn<D, F> = D extends readonly (infer I)[]
  ? Chosen<I, F>[]
  : { [K in keyof D]: D[K] extends readonly (infer I)[] ? Chosen<I, F>[] : D[K] };
