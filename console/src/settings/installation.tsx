/** The status of the installation, for owners of the first tenant. */

import { SimpleGrid } from "@mantine/core";
import type { Installation } from "@leadport/client";
import { t } from "../text/index.ts";
import { Fact, Facts, StatusBadge, Time } from "../ui/lists/index.ts";
import { bytes, duration, number, words } from "../ui/format/index.ts";
import { Section } from "../ui/frame/index.ts";

const text = t.system;

/** How many digits of a commit's hash are shown, as by `leadport --version`. */
const SHOWN_HASH = 12;

/** How many processes are listed. Those of older releases come first. */
const SHOWN_PROCESSES = 20;

export interface InstallationCardProps {
  readonly installation: Installation;
  /** When the status was read, in epoch seconds. */
  readonly at_s: number;
}

export function InstallationCard({ installation, at_s }: InstallationCardProps) {
  const { version, status, uptime_s, database, jobs, event_webhooks, event_lag_s } = installation;
  const { processes, backfills } = installation;
  const { enabled, disabled, paused } = event_webhooks;
  const shownCommit = installation.commit?.slice(0, SHOWN_HASH) ?? text.unknownCommit;
  return (
    <Section title={text.installation} hint={text.installationHint}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: "start" }}>
        <Facts>
          <Fact label={text.version}>
            {text.release(version, shownCommit, number(installation.schema_version))}
          </Fact>
          <Fact label={text.status}>
            <StatusBadge value={status} label={text.statuses[status]} />
          </Fact>
          <Fact label={text.runningSince}>
            <Time at={at_s - uptime_s} />
          </Fact>
          <Fact label={text.processes}>
            {processes.slice(0, SHOWN_PROCESSES).map(({ kind, release, host, pid }) => (
              <div key={`${host} ${pid}`}>
                {text.process(text.processKinds[kind], pid, host, release)}
              </div>
            ))}
            {processes.length > SHOWN_PROCESSES &&
              text.moreProcesses(number(processes.length - SHOWN_PROCESSES))}
          </Fact>
          <Fact label={text.database}>
            {text.postgres(database.version, number(database.schema_version))}
          </Fact>
          <Fact label={text.size}>{bytes(database.size_bytes)}</Fact>
          <Fact label={text.free}>
            {database.disk_free_bytes !== null && bytes(database.disk_free_bytes)}
          </Fact>
          <Fact label={text.longest}>{duration(database.longest_transaction_s)}</Fact>
        </Facts>
        <Facts>
          {jobs.map(({ kind, pending, oldest_age_s }) => (
            <Fact key={kind} label={text.jobKinds[kind] ?? words(kind)}>
              {pending === 0
                ? text.nonePending
                : text.pending(number(pending), duration(oldest_age_s))}
            </Fact>
          ))}
          {backfills.map(({ name, is_finished, rows_done, rows_total }) => (
            <Fact key={name} label={text.backfill(words(name))}>
              {is_finished ? text.finished : text.progress(number(rows_done), number(rows_total))}
            </Fact>
          ))}
          <Fact label={text.webhooks}>
            {text.webhookStates(number(enabled), number(disabled), number(paused))}
          </Fact>
          <Fact label={text.eventLag}>{duration(event_lag_s)}</Fact>
          <Fact label={text.feedLag}>{duration(database.change_feed_lag_s)}</Fact>
        </Facts>
      </SimpleGrid>
    </Section>
  );
}
