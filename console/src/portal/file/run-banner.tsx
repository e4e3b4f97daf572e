/** The progress of the file being submitted, shown on every page of the portal. */

import { Group, Paper, Progress as Bar, Text } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { portalFileTexts as texts } from "../../text/portal.ts";
import { number } from "../../ui/format/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { useProgress, useRun } from "./current-run.ts";
import { isOpen, type Hold } from "./run.ts";
import classes from "./file.module.css";

const PAGE = "/partner/push-file";

function holdText(hold: Hold): string {
  if (hold.kind === "forbidden") return texts.holds.forbidden(hold.why);
  if (hold.kind !== "waiting") return texts.holds[hold.kind];
  const seconds = Math.max(1, Math.ceil((hold.until_ms - Date.now()) / 1000));
  return texts.holds.waiting(number(seconds));
}

export function RunBanner() {
  const run = useRun();
  const progress = useProgress(run);
  const { pathname } = useLocation();
  if (run === undefined || progress === undefined) return null;
  const { phase, hold, counts } = progress;
  const all = run.rows.length;
  const done = all - counts.waiting;
  return (
    <Paper
      component="section"
      aria-label={texts.progress}
      withBorder
      px="md"
      py="xs"
      mb="md"
      className={classes["status"] ?? ""}
      // Only an unfinished run stays visible while the page scrolls.
      mod={{ open: isOpen(progress) }}
    >
      <Group justify="space-between" gap="sm" mb={6} wrap="nowrap">
        <Text size="sm" truncate>
          <Text span inherit fw={600} role="status">
            {texts.phases[phase]}
          </Text>{" "}
          {run.fileName}
        </Text>
        <Group gap="sm" wrap="nowrap" style={{ flexShrink: 0 }}>
          <Text size="sm">{texts.done(number(done), number(all))}</Text>
          {pathname !== PAGE && (
            <TextLink to={PAGE} size="sm">
              {texts.toRun}
            </TextLink>
          )}
        </Group>
      </Group>
      <Bar.Root size="sm">
        <Bar.Section value={(done / all) * 100} aria-label={texts.progress} />
      </Bar.Root>
      {hold !== undefined && isOpen(progress) && (
        <Text size="sm" mt={6} role="alert" className={classes["doubtful"] ?? ""}>
          {holdText(hold)}
        </Text>
      )}
    </Paper>
  );
}
