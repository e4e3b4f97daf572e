/**
 * Determines which missing accounts to create for the rows that refer to them, and which of the created accounts are
 * not needed after all.
 */

import { companyDomain } from "../../records/index.ts";
import { findReference, type Resolve } from "./references.ts";
import { isRefused, type RefusedRow, type RowInput } from "./row-input.ts";
import type { WantedReference } from "./row-references.ts";

/** Line → the reason why its row cannot be written. */
export type Rejected = ReadonlyMap<number, string>;

/** The body of an account to create. */
export type MissingAccount = Readonly<Record<"name", string>> & {
  readonly website?: string;
  readonly external_id?: string;
};

/**
 * Returns each missing account once. Rows that refer to it by the same id, domain or name share it. Leaves out:
 * - accounts that are known only by id, because they would have no name
 * - ambiguous names, because their accounts are not missing
 * - the default account, which must already exist: if no account has its name, the name is wrong
 */
export function missingAccounts(
  rows: readonly (RowInput | RefusedRow)[],
  resolve: Resolve,
  rejected: Rejected,
): readonly MissingAccount[] {
  const known = new Set<string>();
  const missing: MissingAccount[] = [];
  for (const row of rows) {
    if (isRefused(row) || rejected.has(row.line)) continue;
    for (const wanted of row.references) {
      if (wanted.byDefault || wanted.names.some(({ to }) => to !== "account")) continue;
      if (!("none" in findReference(wanted, resolve))) continue;
      const account = accountOf(wanted);
      const keys = wanted.names.map(({ text }) => companyDomain(text) ?? text);
      const isKnown = keys.some((key) => known.has(key));
      for (const key of keys) known.add(key);
      if (account !== undefined && !isKnown) missing.push(account);
    }
  }
  return missing;
}

/** Returns the rejected rows for which an account was created that no other row refers to. */
export function rejectedWithAccount(
  rows: readonly (RowInput | RefusedRow)[],
  { resolve, created }: { readonly resolve: Resolve; readonly created: ReadonlySet<string> },
  rejected: Rejected,
): Rejected {
  const used = new Set<string>();
  const named = new Map<number, readonly string[]>();
  for (const row of rows) {
    if (isRefused(row)) continue;
    const ids = row.references.flatMap((wanted) => {
      const found = findReference(wanted, resolve);
      return "id" in found && created.has(found.id) ? found.id : [];
    });
    if (rejected.has(row.line)) named.set(row.line, ids);
    else for (const id of ids) used.add(id);
  }
  const isUnneeded = ([line]: readonly [number, string]) =>
    named.get(line)?.some((id) => !used.has(id)) === true;
  return new Map([...rejected].filter(isUnneeded));
}

function accountOf({ names }: WantedReference): MissingAccount | undefined {
  const textOf = (wanted: string) => names.find(({ kind }) => kind === wanted)?.text;
  const domain = names.map(({ text }) => companyDomain(text)).find((found) => found !== undefined);
  const name = textOf("name") ?? domain;
  if (name === undefined) return undefined;
  const external_id = textOf("id");
  return {
    name,
    ...(domain === undefined ? {} : { website: domain }),
    ...(external_id === undefined ? {} : { external_id }),
  };
}
