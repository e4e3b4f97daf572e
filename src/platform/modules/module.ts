/**
 * What a module contributes to the service. Each module exports one such value from its index.ts, and
 * `service/modules.ts` lists the values. The app, the worker, the reference, the tenant export and the checks of
 * personal data collect everything from that list.
 */

import type { Sql } from "sql-template-tag";
import type { Clock } from "../clock/index.ts";
import type { MakeId } from "../ids/index.ts";
import type { Db } from "../database/index.ts";
import type { MeasuredGroup } from "../metrics/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { Operation } from "../operations/index.ts";
import type { Schemas } from "../schemas/index.ts";

/**
 * - `yes`: data about the people in records, pushed leads and imported files. An erasure removes it.
 * - `derived`: keys, digests and counts that are computed from such data.
 * - `text`: written by users. It may mention a person, so it is searched, and matches are listed for review.
 * - `user`: data about users and partners, which administrators change and remove.
 * - `no`: none of these.
 */
export type Personal = "yes" | "derived" | "text" | "user" | "no";

/** The columns of each table, grouped by what they contain. Names are separated by spaces. */
export type PersonalColumns = Readonly<Record<string, Readonly<Partial<Record<Personal, string>>>>>;

/** The parameters and the body of a sample request. A file is sent as text. */
export interface Sample {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: JsonObject | string;
}

/** The services that most background work uses. */
export interface BasicServices {
  readonly sql: Db;
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** Rows for metrics, such as pending jobs, are counted only up to this number. */
export const COUNT_MAX = 10_000;

/** Background work by name. Each function performs one task, and returns false if nothing was due. */
export type Works = Readonly<Record<string, () => Promise<boolean>>>;

/** A module's operations, grouped by who can call them. */
export interface Operations<Tenant, Partner> {
  /** For tenants' access tokens and sessions. */
  readonly tenants?: readonly Operation<Tenant>[];
  readonly partners?: readonly Operation<Partner>[];
  /** For callers without a credential. */
  readonly anyone?: readonly Operation<undefined>[];
  readonly sessions?: readonly Operation<Tenant>[];
  /** For pages of this origin, without a credential. */
  readonly pages?: readonly Operation<undefined>[];
  /** Stops what the operations have started. Called before the app closes its connections. */
  readonly close?: () => Promise<void>;
}

/** The types that the service determines. */
interface ServiceTypes {
  /** The services that operations use. */
  readonly services: unknown;
  /** The services that background work uses. */
  readonly workServices: unknown;
  /** The services that both have. Topics use them. */
  readonly sharedServices: unknown;
  readonly tenant: unknown;
  readonly partner: unknown;
  readonly topic: unknown;
  /** A part in every write of records. */
  readonly participant: unknown;
  /** The record types. */
  readonly types: unknown;
}

/**
 * Lets each function name only the services that it uses. `service/modules.ts` checks that these services exist, because
 * modules cannot import the service.
 */
interface AnyTypes {
  readonly services: never;
  readonly workServices: never;
  readonly sharedServices: never;
  readonly tenant: never;
  readonly partner: never;
  readonly topic: unknown;
  readonly participant: unknown;
  readonly types: never;
}

export interface Module<T extends ServiceTypes = AnyTypes> {
  /** Unique. The name of the folder, unless the folder exports a second value. */
  readonly name: string;
  /** The other modules that it may import, besides `platform`. */
  readonly imports?: readonly string[];
  readonly operations?: (services: T["services"]) => Operations<T["tenant"], T["partner"]>;
  readonly works?: (services: T["workServices"]) => Works;
  /** The topics of webhook requests (`Topic` in `delivery`), by name. */
  readonly topics?: Readonly<Record<string, (services: T["sharedServices"]) => T["topic"]>>;
  /** The parts that the module takes in every write of records (`Participant` in `records`). */
  readonly participants?: readonly T["participant"][];
  /** Returns the named schemas in openapi.json. */
  readonly schemas?: (types: T["types"]) => Schemas;
  /** The module after whose schemas these are listed. Default: the module before this one in the list. */
  readonly schemasAfter?: string;
  /** Descriptions of the tags that group the module's operations. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Sample requests for the reference, by operation id. */
  readonly samples?: Readonly<Record<string, Sample>>;
  /** Declares every column of the module's tables. */
  readonly personal?: PersonalColumns;
  /** Tables with a `tenant_id` that are not part of a tenant file, each with the reason. */
  readonly excludedFromExport?: Readonly<Record<string, string>>;
  /** Metrics that are read from the database. */
  readonly metrics?: readonly MeasuredGroup[];
  /** Pending jobs other than deliveries, by kind: a query for their number (`pending`) and the age of the oldest (`age_s`). */
  readonly jobs?: Readonly<Record<string, Sql>>;
}
