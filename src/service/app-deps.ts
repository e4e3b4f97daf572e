/** What the app needs from its installation. */

import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Spool } from "../files/spool/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { Database } from "../platform/database/index.ts";
import type { BodyLimits, Pages } from "../platform/http/index.ts";
import type { SharedMetrics } from "../platform/metrics/index.ts";
import type { Mailer, Outgoing } from "../platform/outgoing/index.ts";
import type { MasterKey } from "../platform/secrets/index.ts";
import type { DiskReserve, Tls } from "../platform/storage/index.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import type { Participant } from "../records/store/index.ts";
import type { Config } from "../settings/index.ts";

export interface AppDeps {
  readonly db: Database;
  /** A limit of 0 or undefined means unlimited. */
  readonly config: Pick<Config, "trustedProxies" | "outgoingAllow" | "rateLimit"> & Partial<Config>;
  /** Rejects writes before the disk is full. */
  readonly disk?: DiskReserve | undefined;
  /**
   * Temporary storage for exports. If omitted, an export is read from the database only as fast as its client reads it.
   */
  readonly spool?: Spool | undefined;
  readonly importSpool?: Spool | undefined;
  readonly outgoing: Outgoing;
  /** Private hosts, addresses and ranges that partners' webhooks may reach. Only tests set this. Default: none. */
  readonly partnerAllow?: readonly string[] | undefined;
  /** If omitted, no emails are sent. */
  readonly mailer?: Mailer;
  readonly clock: Clock;
  /** Replaces the modules' participants in writes of records. Only tests set this. */
  readonly participants?: readonly Participant[] | undefined;
  readonly keys: MasterKey;
  readonly log: Logger;
  /** A client that reads no data from a stream for this long is disconnected. Default: one minute. */
  readonly stall_ms?: number;
  /** How often an idle change stream sends a heartbeat. Default: 15 s. */
  readonly heartbeat_ms?: number;
  readonly tls?: Record<keyof Tls, string | Buffer> | undefined;
  /** The console and portal. If omitted, only the API is served. */
  readonly pages?: Pages | undefined;
  /** Limits for request bodies. Tests override them. */
  readonly bodies?: BodyLimits;
  /** Whether `/readyz` reports that the service is ready. By default, it does so until the app closes. */
  readonly isReady?: (() => boolean) | undefined;
  /** The metrics registry. Default: a new one. */
  readonly register?: Registry | undefined;
  /** Set if several processes serve on one port. */
  readonly metrics?: SharedMetrics | undefined;
  /** If omitted, there are no traces. */
  readonly tracing?: Tracing | undefined;
}
