/** Reports failures of automatic backups: in the log, in the status file, and in one email per series of failures. */

import type { Logger } from "pino";
import type { Clock } from "../platform/clock/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import { type BackupStatus, readStatus, updateStatus } from "./status.ts";

/** How long to wait before resending an email that the mail server did not accept. */
const MAIL_AGAIN_ms = 3_600_000;

export interface ReportDeps {
  readonly settings: { readonly backupDir: string; readonly operatorEmail: string | undefined };
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly mailer: Mailer;
}

/** A series of consecutive failures, which ends when an attempt succeeds. */
export interface Series {
  /** Reports a failure. With `inStatus: false`, it is not recorded in the status file. */
  readonly report: (
    what: string,
    reason: string,
    options?: { readonly inStatus?: boolean },
  ) => Promise<void>;
  /** Ends the series. Returns whether there were failures. */
  readonly end: () => boolean;
}

export function createSeries(deps: ReportDeps): Series {
  const { settings, clock, log } = deps;
  const { backupDir } = settings;
  /** The action that failed last. If it fails again, the failure is not logged. */
  let last: string | undefined;
  let nextMail_ms = 0;
  return {
    report: async (what, reason, { inStatus = true } = {}) => {
      const now_ms = clock.now_ms();
      const failed_at = new Date(now_ms).toISOString();
      if (what !== last) log.error({ backupDir, reason }, `Backups: ${what} failed`);
      // A backup can succeed while the log cannot be archived. The status must then still show the failure.
      if (inStatus && (what !== last || isHidden(readStatus(backupDir)))) {
        try {
          updateStatus(backupDir, { failed_at, failure: `${what}: ${reason}` });
        } catch {
          // The status file could not be written, perhaps for the same reason that the action failed. The log and the
          // email still report the failure.
        }
      }
      last = what;
      if (now_ms < nextMail_ms) return;
      const isSent = await mail(deps, { what, reason, failed_at });
      nextMail_ms = isSent ? Infinity : now_ms + MAIL_AGAIN_ms;
    },
    end: () => {
      const hadFailures = last !== undefined;
      last = undefined;
      nextMail_ms = 0;
      return hadFailures;
    },
  };
}

/** Whether a status shows no failure because something else has succeeded since. */
const isHidden = ({ failed_at = "", succeeded_at = "" }: BackupStatus): boolean =>
  failed_at < succeeded_at;

interface Failure {
  readonly what: string;
  readonly reason: string;
  readonly failed_at: string;
}

/** Sends the email if an operator's address and an SMTP server are configured. Returns false only if sending failed. */
async function mail(
  { settings: { backupDir, operatorEmail: to }, mailer }: ReportDeps,
  { what, reason, failed_at }: Failure,
): Promise<boolean> {
  if (to === undefined || !mailer.canSend) return true;
  const text = [
    `On ${failed_at}, ${what} in ${backupDir} failed:`,
    "",
    reason,
    "",
    "Leadport will try again within an hour. You will not get another email about this until it succeeds. Run " +
      "leadport doctor to check the installation.",
  ].join("\n");
  const html = `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>")}</p>`;
  return mailer.send({ to, subject: "Leadport: a backup failed", text, html });
}
