/** The progress of submitting a file, and the result of each row, during and after the run. */

import { Button, Card, Group, Stack, Title } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { portalFileTexts } from "../../text/portal.ts";
import { ConfirmButton } from "../../ui/forms/index.ts";
import { number } from "../../ui/format/index.ts";
import { Stat, Stats } from "../../ui/lists/index.ts";
import { Results } from "./results.tsx";
import { useProgress } from "./current-run.ts";
import { isOpen, type Run } from "./run.ts";

const texts = portalFileTexts;

export interface RunningProps {
  readonly run: Run;
  readonly onAnother: () => void;
}

export function Running({ run, onAnother }: RunningProps) {
  const progress = useProgress(run);
  if (progress === undefined) return null;
  const { phase, counts } = progress;
  const canResume = isOpen(progress);
  return (
    <Stack gap="lg">
      <Card withBorder padding="lg">
        <Group justify="space-between" mb="md">
          <Title order={2} style={{ overflowWrap: "anywhere" }} miw={0}>
            {run.fileName}
          </Title>
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
              <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={run.resume}>
                {texts.resume}
              </Button>
            )}
            {canResume && (
              <ConfirmButton
                title={texts.stopTitle}
                text={texts.stopText}
                confirm={texts.stop}
                work={async () => run.stop()}
              >
                {texts.stop}
              </ConfirmButton>
            )}
            {!canResume && <Button onClick={onAnother}>{texts.another}</Button>}
          </Group>
        </Group>
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
