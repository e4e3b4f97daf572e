/** A file that is being pushed, or was: how far it is, and what became of each row. */

import { Alert, Button, Card, Group, Progress as Bar, Stack, Text, Title } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { portalFileTexts } from "../../text/portal.ts";
import { ConfirmButton } from "../../ui/forms/index.ts";
import { number } from "../../ui/format/index.ts";
import { Stat, Stats } from "../partner/index.ts";
import { Results } from "./results.tsx";
import { useProgress } from "./current-run.ts";
import { isOpen, type Hold, type Run } from "./run.ts";

const texts = portalFileTexts;

function holdText(hold: Hold): string {
  if (hold.kind === "forbidden") return texts.holds.forbidden(hold.why);
  if (hold.kind !== "waiting") return texts.holds[hold.kind];
  const seconds = Math.max(1, Math.ceil((hold.until_ms - Date.now()) / 1000));
  return texts.holds.waiting(number(seconds));
}

export interface RunningProps {
  readonly run: Run;
  readonly onAnother: () => void;
}

export function Running({ run, onAnother }: RunningProps) {
  const progress = useProgress(run);
  if (progress === undefined) return null;
  const { phase, hold, counts } = progress;
  const all = run.rows.length;
  const done = all - counts.waiting;
  const canGoOn = isOpen(progress);
  return (
    <Stack gap="lg">
      <Card withBorder padding="lg">
        <Group justify="space-between" mb="md">
          <div>
            <Title order={2}>{run.fileName}</Title>
            <Text size="sm" c="dimmed" role="status">
              {texts.phases[phase]}
            </Text>
          </div>
          <Group gap="xs">
            {phase === "running" && (
              <Button
                variant="default"
                leftSection={<IconPlayerPause size={16} aria-hidden />}
                onClick={run.pause}
              >
                {texts.pause}
              </Button>
            )}
            {phase === "paused" && (
              <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={run.goOn}>
                {texts.goOn}
              </Button>
            )}
            {canGoOn && (
              <ConfirmButton
                title={texts.stopTitle}
                text={texts.stopText}
                confirm={texts.stop}
                work={async () => run.stop()}
              >
                {texts.stop}
              </ConfirmButton>
            )}
            {!canGoOn && <Button onClick={onAnother}>{texts.another}</Button>}
          </Group>
        </Group>
        <Bar.Root size="lg">
          <Bar.Section value={(done / all) * 100} aria-label={texts.progress} />
        </Bar.Root>
        <Text size="sm" mt={6} mb="md">
          {texts.done(number(done), number(all))}
        </Text>
        {hold !== undefined && canGoOn && (
          <Alert color="yellow" role="alert" mb="md">
            {holdText(hold)}
          </Alert>
        )}
        <Stats label={texts.results}>
          <Stat label={texts.counts.pushed} value={number(counts.pushed)} />
          <Stat label={texts.counts.known} value={number(counts.known)} />
          <Stat label={texts.counts.refused} value={number(counts.refused)} />
          <Stat label={texts.counts.left} value={number(counts.waiting)} />
        </Stats>
      </Card>
      <Results run={run} progress={progress} />
    </Stack>
  );
}
