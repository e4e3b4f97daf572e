/**
 * Handles, which identify tenants on the command line. A handle is unique in the installation and never changes, so a
 * tenant cannot redirect an operator's command to another tenant.
 */

import { run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";

/** The handle reserved for the installation's first tenant. */
export const FIRST_HANDLE = "default";

const LENGTH_MAX = 50;
const HANDLE = /^[a-z][a-z0-9-]{1,49}$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a string has the format of a tenant id. Handles never do. */
export const isTenantId = (text: string): boolean => ID.test(text.toLowerCase());

export const isHandle = (text: string): boolean => HANDLE.test(text) && !isTenantId(text);

/**
 * Derives a valid handle from a name: "Café Öland" → `cafe-oland`. If the name yields no valid handle, adds a prefix:
 * "3M" → `tenant-3m`, "東京" → `tenant`.
 */
export function handleOf(name: string): string {
  const slug = trimHyphens(
    name
      .normalize("NFKD")
      .replaceAll(/[\u0300-\u036f]/g, "")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-"),
  );
  const handle = /^[a-z]./.test(slug) && !isTenantId(slug) ? slug : trimHyphens(`tenant-${slug}`);
  return trimHyphens(handle.slice(0, LENGTH_MAX));
}

/**
 * Returns the handle for a new tenant: the given handle, or one derived from the name, with a number appended if it is
 * taken. Throws 409 if the given handle is invalid, reserved or taken. The caller must hold the lock for creating
 * tenants.
 */
export async function handleFor(tx: Tx, name: string, given: string | undefined): Promise<string> {
  const wanted = given ?? handleOf(name);
  if (!isHandle(wanted)) throw refusal(wanted, `is not valid. ${FORM}`);
  const prefix = wanted.slice(0, LENGTH_MAX - NUMBER_LENGTH_MAX);
  const rows = await run<{ handle: string }[]>(
    tx,
  )`select handle from tenants where starts_with(handle, ${prefix})`;
  const taken = new Set(rows.map(({ handle }) => handle)).add(FIRST_HANDLE);
  if (given === undefined) return firstFree(wanted, taken);
  if (given === FIRST_HANDLE)
    throw refusal(given, "is reserved for the installation's first tenant.");
  if (taken.has(given)) throw refusal(given, `is taken. ${CHOOSE_ANOTHER}`);
  return given;
}

/** The maximum length of the appended number, including its hyphen. Numbers stay below 10 million. */
const NUMBER_LENGTH_MAX = 8;
const FORM =
  "A handle must have 2 to 50 lowercase letters, digits and hyphens, start with a letter, and not look like an id.";
const CHOOSE_ANOTHER = "Choose another one. Run leadport tenant list to see all tenants.";

function firstFree(base: string, taken: ReadonlySet<string>): string {
  for (let number = 2, candidate = base; ; number += 1) {
    if (!taken.has(candidate)) return candidate;
    const suffix = `-${number}`;
    candidate = trimHyphens(base.slice(0, LENGTH_MAX - suffix.length)) + suffix;
  }
}

const refusal = (handle: string, fault: string): AppError =>
  new AppError("conflict", { detail: `The handle "${handle}" ${fault}` });

const trimHyphens = (text: string): string => text.replaceAll(/^-+|-+$/g, "");
