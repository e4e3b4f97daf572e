/** On other pages: that a file is being pushed, and the way back to it. */

import { Alert } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { portalFileTexts } from "../../text/portal.ts";
import { number } from "../../ui/format/index.ts";
import { useProgress, useRun } from "./current-run.ts";
import { TextLink } from "../../ui/states/index.ts";

export function RunBanner() {
  const run = useRun();
  const progress = useProgress(run);
  const { pathname } = useLocation();
  if (run === undefined || progress === undefined || pathname === "/partner/push-file") return null;
  const done = run.rows.length - progress.counts.waiting;
  return (
    <Alert color="blue" mb="md">
      {portalFileTexts.stillThere} {portalFileTexts.done(number(done), number(run.rows.length))}{" "}
      <TextLink to="/partner/push-file" c="inherit" inherit underline="always">
        {portalFileTexts.toRun}
      </TextLink>
    </Alert>
  );
}
