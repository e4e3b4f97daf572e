/** Submits a file of leads in three steps: column mapping, preview, and the result of each row. */

import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { portalFileTexts, portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import { usePartner } from "../partner/index.ts";
import { DropFile, type ReadFile } from "./drop-file.tsx";
import { Prepare } from "./prepare.tsx";
import { forgetRun, useRun } from "./current-run.ts";
import { Running } from "./running.tsx";

export default function PushFile() {
  const { can_push, allowed_marketing_sources } = usePartner();
  const run = useRun();
  const [file, setFile] = useState<ReadFile>();
  const header = <PageHeader title={portalFileTexts.title} hint={portalFileTexts.hint} />;
  if (run !== undefined) {
    return (
      <>
        {header}
        <Running
          run={run}
          onAnother={() => {
            setFile(undefined);
            forgetRun();
          }}
        />
      </>
    );
  }
  if (!can_push) {
    return (
      <>
        {header}
        <Empty icon={IconLock} title={portalTexts.push.denied} hint={portalTexts.push.deniedHint} />
      </>
    );
  }
  return (
    <>
      {header}
      {allowed_marketing_sources.length === 0 && (
        <Alert color="blue" mb="md">
          {portalTexts.overview.noSources}
        </Alert>
      )}
      {file === undefined ? (
        <DropFile onRead={setFile} />
      ) : (
        <Prepare file={file} onOther={() => setFile(undefined)} />
      )}
    </>
  );
}
