/**
 * Checks second-factor codes. Wrong codes are counted per account, regardless of the IP address. After 10 wrong codes
 * within 15 minutes, the second factor is paused for 15 minutes. After 50 within a day, it is paused until the user
 * uses a new link. A correct recovery code always works, because recovery codes cannot be guessed. A link becomes
 * invalid after 10 wrong codes.
 */

import type { AttemptDeps } from "../limits/index.ts";
import { changedFields, logChange, SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import { countWrongCode } from "./links.ts";
import { codesPausedMail } from "./mails.ts";
import { takeCode, type SecondFactorCodes, type SecondFactorDeps } from "./credentials/index.ts";
import type { SessionDeps } from "./sessions.ts";

const SHORT = { most: 10, within_s: 15 * 60 } as const;
const LONG = { most: 50, within_s: 86_400 } as const;

export interface TryCodeDeps extends AttemptDeps, SessionDeps, SecondFactorDeps {
  readonly mailer: Mailer;
  /** Runs work in the background. The service completes it before it exits. */
  readonly later: (work: () => Promise<unknown>) => void;
}

/** A user with a second factor. */
export interface CodeAccount {
  readonly tenantId: TenantId;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The encrypted secret. */
  readonly totp: string;
}

/** The request that contains a code, and the link that it uses, if any. */
export interface CodeRequest {
  readonly requestId: string;
  readonly linkId?: string;
}

/**
 * How long a second factor is paused. `until_ts` is in epoch seconds. It is null if the pause lasts until the user uses
 * a link.
 */
interface Pause {
  readonly until_ts: number | null;
}

/** The state of an account before a code is tried. */
interface FactorState {
  readonly wrong: readonly number[];
  readonly pause: Pause | undefined;
  /** Whether the user's link is newer than the indefinite pause and therefore lifts it. */
  readonly isLifted: boolean;
}

/**
 * Returns whether a code is correct, and marks it as used. While the second factor is paused, throws 429 with
 * `Retry-After`, or 403 if only a new link ends the pause. In these cases, the code is not checked. Throws 404 if the
 * link has become invalid in the meantime. Codes of the same account are checked one at a time.
 */
export async function tryCode(
  deps: TryCodeDeps,
  account: CodeAccount,
  codes: SecondFactorCodes,
  { requestId, linkId }: CodeRequest,
): Promise<boolean> {
  const { tenantId, id } = account;
  const now_s = epochSeconds(deps.clock);
  const { isTaken, pause } = await transaction(deps.sql, async (db) => {
    const scope = { db, tenantId, actor: { ...SERVICE, requestId } };
    const { wrong, pause, isLifted } = await readFactorState(scope, { id, linkId, now_s });
    const isRecovery = codes.code === undefined && codes.recovery_code !== undefined;
    if (pause !== undefined && !isLifted && !isRecovery) throw pausedError(pause, now_s);
    if (await takeCode(scope, deps, account, codes)) return { isTaken: true };
    if (linkId !== undefined) await countWrongCode(scope, deps, linkId, id);
    // During a pause, only recovery codes and codes sent with a new link are checked. Links have a separate limit.
    if (pause !== undefined) return { isTaken: false };
    const counted = { id, wrong: [...wrong, now_s], now_s };
    return { isTaken: false, pause: await countWrong(scope, deps, counted) };
  });
  if (pause !== undefined && deps.mailer.canSend) {
    deps.later(() => mailPause(deps, account, pause));
  }
  return isTaken;
}

interface FactorRow {
  readonly wrong_ts: readonly number[];
  readonly since_ts: number | null;
  readonly until_ts: number | null;
}

/**
 * Locks the account's row. Reads the times of the last day's wrong codes and the current pause, and checks whether the
 * link lifts the pause.
 */
async function readFactorState(
  { db, tenantId }: Scope<Tx>,
  { id, linkId, now_s }: { id: string; linkId: string | undefined; now_s: number },
): Promise<FactorState> {
  const [row] = await run<FactorRow[]>(db)`
    select to_json(wrong_code_ts) as wrong_ts, codes_paused_ts as since_ts,
           codes_paused_until_ts as until_ts
      from people
     where tenant_id = ${tenantId} and id = ${id} for no key update`;
  if (row === undefined) throw new AppError("not_found");
  const { wrong_ts, since_ts, until_ts } = row;
  const wrong = wrong_ts.filter((at) => at > now_s - LONG.within_s);
  const isOver = since_ts === null || (until_ts !== null && until_ts <= now_s);
  const pause = isOver ? undefined : { until_ts };
  if (linkId === undefined) return { wrong, pause, isLifted: false };
  const [link] = await run<{ created_ts: number }[]>(db)`
    select created_ts from sign_in_links
     where tenant_id = ${tenantId} and id = ${linkId} and person_id = ${id}`;
  if (link === undefined) throw new AppError("not_found");
  return { wrong, pause, isLifted: until_ts === null && link.created_ts >= (since_ts ?? 0) };
}

/** Stores the times of an account's wrong codes, and starts a pause if a limit is reached. */
async function countWrong(
  scope: Scope<Tx>,
  { makeId }: SessionDeps,
  { id, wrong, now_s }: { id: string; wrong: readonly number[]; now_s: number },
): Promise<Pause | undefined> {
  const { db, tenantId } = scope;
  const recent = wrong.filter((at) => at > now_s - SHORT.within_s).length;
  const isLong = wrong.length >= LONG.most;
  const pause =
    isLong || recent >= SHORT.most
      ? { until_ts: isLong ? null : now_s + SHORT.within_s }
      : undefined;
  await run(db)`
    update people set wrong_code_ts = ${wrong.slice(-LONG.most)}::bigint[]
     where tenant_id = ${tenantId} and id = ${id}`;
  if (pause === undefined) return undefined;
  await run(db)`
    update people set codes_paused_ts = ${now_s}, codes_paused_until_ts = ${pause.until_ts}
     where tenant_id = ${tenantId} and id = ${id}`;
  const wrong_codes = isLong ? wrong.length : recent;
  await logChange(scope, makeId, {
    subjectType: "person",
    subjectId: id,
    action: "second_factor_paused",
    fields: changedFields({}, { ...pause, wrong_codes }),
  });
  return pause;
}

function pausedError({ until_ts }: Pause, now_s: number): AppError {
  const members = { second_factor: true };
  // Clients would retry after a 429, but waiting does not end this pause.
  if (until_ts === null) return new AppError("second_factor_needs_link", { members });
  const headers = { "retry-after": String(until_ts - now_s) };
  return new AppError("second_factor_paused", { members, headers });
}

/** Whether an error means that a code was not checked because the second factor is paused. */
export const isPaused = (error: unknown): error is AppError =>
  error instanceof AppError &&
  (error.code === "second_factor_paused" || error.code === "second_factor_needs_link");

/** Emails the user about a pause. */
async function mailPause(
  { sql: db, mailer }: TryCodeDeps,
  { tenantId, name, email: to }: CodeAccount,
  { until_ts }: Pause,
): Promise<void> {
  const [tenant] = await run<[{ name: string }]>(db)`
    select name from tenants where id = ${tenantId}`;
  const tenantName = tenant.name;
  await mailer.send(codesPausedMail({ to, name, tenantName, isLong: until_ts === null }));
}
