/** An import's state (uploading, interrupted, failed, done) and the next actions. */

import { Alert, Button, Card, Group, Progress, Stack, Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconDownload,
  IconPlayerPlay,
} from "@tabler/icons-react";
import { isConflict } from "@leadport/client";
import { useMay } from "../../api/index.ts";
import { typeLabel } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { ConfirmButton } from "../../ui/forms/index.ts";
import { bytes, number } from "../../ui/format/index.ts";
import { dayOf } from "../../ui/days/index.ts";
import { Failure, Fault, TextLink } from "../../ui/states/index.ts";
import { FileDrop } from "./file-drop.tsx";
import { rejectsPath, typeOf, type Import } from "./import.ts";
import { startUpload, stopUpload, type Upload } from "./uploads.ts";

export interface ImportStateProps {
  readonly job: Import;
  /** The upload from this window, if any. */
  readonly upload: Upload | undefined;
}

export function ImportState({ job, upload }: ImportStateProps) {
  if (upload?.isSending === true) return <Sending job={job} upload={upload} />;
  switch (job.state) {
    case "running":
      return (
        <Alert color="blue" role="status" title={t.files.importing}>
          {t.files.elsewhere}
        </Alert>
      );
    case "waiting":
    case "interrupted":
      return <Open job={job} upload={upload} />;
    case "failed":
      return (
        <Fault title={t.files.failedTitle}>
          <Text size="sm">{job.error}</Text>
          <Text size="sm">{t.files.failedHint}</Text>
        </Fault>
      );
    case "finished":
      return <Done job={job} />;
  }
}

interface SendingProps {
  readonly job: Import;
  readonly upload: Upload;
}

function Sending({ job, upload: { file, sent_bytes } }: SendingProps) {
  const isSent = sent_bytes >= file.size;
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{t.files.importing}</Text>
          <ConfirmButton
            size="xs"
            title={t.files.stopTitle}
            text={t.files.stopText}
            confirm={t.files.stop}
            work={async () => stopUpload(job.id)}
          >
            {t.files.stop}
          </ConfirmButton>
        </Group>
        <Progress
          value={(sent_bytes / file.size) * 100}
          animated={isSent}
          aria-label={t.files.importing}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            {isSent ? t.files.writing : t.files.sentBytes(bytes(sent_bytes), bytes(file.size))}
          </Text>
          <Text size="sm">{t.files.rowsDone(number(job.rows))}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t.files.leave}
        </Text>
      </Stack>
    </Card>
  );
}

/** An import whose file has not been completely uploaded. */
function Open({ job, upload }: ImportStateProps) {
  const mayImport = useMay("records:write");
  const name = job.file_name ?? t.files.unnamed;
  const isNew = job.state === "waiting";
  const send = (file: File) => void startUpload(job.id, file);
  return (
    <Card withBorder padding="lg" maw={720}>
      <Stack gap="md">
        <Alert
          color="yellow"
          role="status"
          icon={<IconAlertTriangle aria-hidden />}
          title={isNew ? t.files.waitingTitle : t.files.interruptedTitle}
        >
          {isNew ? t.files.waiting(name) : t.files.interrupted(number(job.rows), name)}
        </Alert>
        <Failure error={upload?.error} />
        {mayImport && upload !== undefined && !isConflict(upload.error) && (
          <Group>
            <Button
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              onClick={() => send(upload.file)}
            >
              {t.files.resume}
            </Button>
          </Group>
        )}
        {mayImport && <FileDrop onFile={send} />}
      </Stack>
    </Card>
  );
}

function Done({ job }: { readonly job: Import }) {
  const type = typeOf(job);
  const days = {
    from: dayOf(Date.parse(job.created_date) / 1000),
    to: dayOf(Date.parse(job.finished_date ?? job.created_date) / 1000),
  };
  return (
    <Alert
      color="teal"
      role="status"
      icon={<IconCircleCheck aria-hidden />}
      title={job.dry_run ? t.files.doneCheckTitle : t.files.doneTitle}
    >
      <Stack gap="xs" align="flex-start">
        {!job.dry_run && job.created > 0 && (
          <TextLink to="/$type" params={{ type: type.plural }} search={days} size="sm">
            {t.files.openList(typeLabel(type).many)}
          </TextLink>
        )}
        {job.refused > 0 && (
          <>
            <Button
              component="a"
              href={rejectsPath(job.id)}
              download={rejectsName(job)}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              {t.files.downloadRejects}
            </Button>
            <Text size="sm">{t.files.rejectsHint}</Text>
          </>
        )}
      </Stack>
    </Alert>
  );
}

const rejectsName = ({ file_name, id, file }: Import): string =>
  `${(file_name ?? id).replace(/\.[^.]*$/, "")}.rejects.${file?.format ?? "csv"}`;
