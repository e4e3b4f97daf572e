/**
 * Determines which missing accounts to create for the rows that refer to them, and which of the created accounts are
 * not needed after all.
 */

import { companyDomain } from "../../records/contact-details/index.ts";
import { pick } from "../../platform/json/index.ts";
import { findReference, type Resolve } from "./references.ts";
import { isRefused, type RefusedRow, type RowInput } from "./row-input.ts";
import type { WantedReference } from "./row-references.ts";

/** Line → the reason why its row cannot be written. */
export type Rejected = ReadonlyMap<number, string>;

/** The values that identify an account. */
type Identity = Readonly<Partial<Record<(typeof PARTS)[number], string>>>;
const PARTS = ["external_id", "name", "website"] as const;

/** The body of an account to create. */
export type MissingAccount = Identity & { readonly name: string };

export interface Creating {
  readonly resolve: Resolve;
  /** Whether an account can be created with this body. */
  readonly isValid: (account: MissingAccount) => boolean;
}

/**
 * Returns each missing account once. Rows that refer to it by the same id, domain or name share it. Leaves out:
 * - accounts that are known only by id, because they would have no name
 * - ambiguous names, because their accounts are not missing
 * - the default account, which must already exist: if no account has its name, the name is wrong
 */
export function missingAccounts(
  rows: readonly (RowInput | RefusedRow)[],
  { resolve, isValid }: Creating,
  rejected: Rejected,
): readonly MissingAccount[] {
  const missing = new AccountsByKey();
  for (const row of rows) {
    if (isRefused(row) || rejected.has(row.line)) continue;
    for (const wanted of row.references) {
      if (wanted.byDefault || wanted.names.some(({ to }) => to !== "account")) continue;
      if (!("none" in findReference(wanted, resolve))) continue;
      const identity = identityOf(wanted);
      const account = bodyOf(identity);
      if (account !== undefined && isValid(account)) missing.add(identity);
    }
  }
  return missing.all().flatMap((identity) => bodyOf(identity) ?? []);
}

/** Two strings with the same key refer to the same account. */
const keyOf = (text: string): string => companyDomain(text) ?? text;

const fits = (one: Identity, other: Identity): boolean =>
  PARTS.every((part) => {
    const own = one[part];
    const others = other[part];
    return own === undefined || others === undefined || own === others;
  });

/** Accounts to create. No two of them have an id, name or domain in common. */
class AccountsByKey {
  readonly #byKey = new Map<string, Identity>();

  all(): readonly Identity[] {
    return [...new Set(this.#byKey.values())];
  }

  /**
   * Adds what a row states about an account. Merges the accounts that share a value with the row, unless they
   * contradict each other. A value that the account cannot take, such as a second domain, is left to later rows.
   */
  add(given: Identity): void {
    const shared = new Set(PARTS.flatMap((part) => this.#find(given[part]) ?? []));
    let account: Identity = {};
    const merged = new Set<Identity>();
    for (const other of shared) {
      if (!fits(account, other)) continue;
      account = { ...account, ...other };
      merged.add(other);
    }
    for (const part of PARTS) {
      const holder = this.#find(given[part]);
      if (holder === undefined || merged.has(holder))
        account = { ...pick(given, [part]), ...account };
    }
    for (const text of Object.values(account)) this.#byKey.set(keyOf(text), account);
  }

  #find(text: string | undefined): Identity | undefined {
    return text === undefined ? undefined : this.#byKey.get(keyOf(text));
  }
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

function identityOf({ names }: WantedReference): Identity {
  const textOf = (wanted: string) => names.find(({ kind }) => kind === wanted)?.text;
  const website = names.map(({ text }) => companyDomain(text)).find((found) => found !== undefined);
  const external_id = textOf("id");
  const name = textOf("name");
  return {
    ...(external_id === undefined ? {} : { external_id }),
    ...(name === undefined ? {} : { name }),
    ...(website === undefined ? {} : { website }),
  };
}

/** Returns the account to create, or undefined if it would have no name. */
function bodyOf(identity: Identity): MissingAccount | undefined {
  const name = identity.name ?? identity.website;
  return name === undefined ? undefined : { ...identity, name };
}
