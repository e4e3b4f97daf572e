/** Defines how a group of operations authenticates its callers, checks their permissions and applies their limits. */

import type { FastifyRequest } from "fastify";
import type { Db } from "../database/index.ts";
import type { DiskReserve } from "../storage/index.ts";
import type { Credential, ResponseStore } from "./idempotency.ts";
import type { InProgress } from "./in-progress.ts";
import type { LimitedCredential, Limiter } from "./limiter.ts";
import type { Identity } from "../http/index.ts";

/**
 * Authenticates the caller. With `refresh`, reads the caller from the database instead of a cache.
 * Throws 401 if the credential is unknown, and 403 if it is not allowed from the client's IP
 * address.
 */
export type Authenticate<C> = (request: FastifyRequest, refresh: boolean) => Promise<C>;

/** Authenticates the caller, and throws 403 if it lacks the permission. Does not count the call. */
export type Admit<C> = (request: FastifyRequest, permission: string) => Promise<C>;

/** Thrown when an operation finds that its caller is out of date. The operation is then rerun. */
export class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
}

/** The settings that a group of operations shares for authentication, limits and writes. */
export interface OperationGroup<C> {
  readonly authenticate: Authenticate<C>;
  /** Whether the caller has changed since it was cached. By default, it is assumed to have changed. */
  readonly hasChanged?: (cached: C, now: C) => boolean;
  /** Throws 403 if the caller lacks the operation's permission. */
  readonly permit: (caller: C, permission: string) => void;
  readonly sql: Db;
  /** Stores responses by Idempotency-Key. If omitted, the operations do not support Idempotency-Keys. */
  readonly keyed?: {
    readonly responses: ResponseStore;
    readonly credentialOf: (caller: C) => Credential;
  };
  /** Counts calls toward the rate limits. If omitted, there are no limits. */
  readonly limited?: {
    readonly limiter: Limiter;
    readonly inProgress: InProgress;
    readonly credentialOf: (caller: C) => LimitedCredential;
  };
  /** Returns the tenant and credential to log. */
  readonly identityOf?: (caller: C) => Identity;
  /** Rejects writes while the disk is full. */
  readonly disk?: Pick<DiskReserve, "mustHaveSpace"> | undefined;
}
