/**
 * The second step of the import wizard: column mapping, preview, and all settings that the user can
 * change.
 */

import { Alert, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { isInvalid } from "@leadport/client";
import { messageOf } from "../api/index.ts";
import type { RecordType } from "../record/index.ts";
import { t } from "../text/index.ts";
import { Failure, Loading } from "../ui/states/index.ts";
import { bytes, number } from "../ui/format/index.ts";
import {
  Changes,
  type Check,
  Counts,
  Decisions,
  columnsOf,
  type ImportOptions,
  Links,
  MissingAccounts,
  type Detected,
  Refused,
  effectiveOf,
  Warnings,
} from "./import/index.ts";
import classes from "./import/files.module.css";
import { ColumnList } from "./column-list.tsx";
import { MoreOptions } from "./more-options.tsx";
import { ValueList } from "./value-list.tsx";

export interface CheckFileProps {
  readonly type: RecordType;
  readonly file: File;
  readonly check: Check;
  readonly options: ImportOptions;
  readonly onOptions: (options: ImportOptions) => void;
  readonly onCheck: () => void;
  readonly onBack: () => void;
  readonly onImport: () => void;
  readonly isStarting: boolean;
  readonly startError: unknown;
}

const REFUSED_SHOWN = 10;

export function CheckFile(props: CheckFileProps) {
  const { type, file, check, options, onOptions, onCheck } = props;
  const { result, sample, error, isRunning } = check;
  if (result === undefined && sample === undefined) {
    if (error !== null && !isInvalid(error)) return <Failure error={error} onRetry={onCheck} />;
    return (
      <>
        <Text size="sm" c="dimmed" mb="sm">
          {t.files.checking}
        </Text>
        <Loading />
      </>
    );
  }
  const job = error === null ? result?.job : undefined;
  const columns = columnsOf(result?.job.mapping, result?.job.file?.headings, sample);
  const headings = columns.map(({ heading }) => heading);
  const edits = { type, options, onOptions };
  return (
    <Stack gap="lg">
      <section aria-live="polite" aria-busy={isRunning}>
        <Group gap="sm" mb={4}>
          <Title order={2} tabIndex={-1} data-step>
            {t.files.expected}
          </Title>
          {isRunning && <Loader size="xs" aria-hidden />}
        </Group>
        <Text size="sm" c="dimmed" mb="sm">
          {isRunning ? t.files.checking : detectedIn(result?.job.file)}
        </Text>
        {!isRunning && error !== null && <Problems error={error} onRetry={onCheck} />}
        {job?.mapping?.no_email_or_phone === true && (
          <Alert
            color="yellow"
            mb="sm"
            icon={<IconAlertTriangle aria-hidden />}
            title={t.files.unreachableTitle}
          >
            {t.files.unreachable}
          </Alert>
        )}
        {job !== undefined && <Notices notices={job.mapping?.notices ?? []} />}
        {job !== undefined && <Counts job={job} />}
        {job !== undefined && result !== undefined && result.checked_bytes < file.size && (
          <Alert color="blue" mt="sm" icon={<IconInfoCircle aria-hidden />}>
            {t.files.checkedPart(bytes(result.checked_bytes), bytes(file.size))}
          </Alert>
        )}
      </section>
      {job !== undefined && <MissingAccounts job={job} options={options} onOptions={onOptions} />}
      {job !== undefined && <Links job={job} />}
      {job !== undefined && <Changes type={type} job={job} />}
      {job !== undefined && <Refused job={job} max={REFUSED_SHOWN} />}
      <ColumnList {...edits} columns={columns} sample={sample} />
      {job !== undefined && <Decisions job={job} />}
      <ValueList {...edits} words={result?.job.words ?? []} />
      {job !== undefined && <Warnings job={job} without={["unknown_word"]} />}
      <MoreOptions {...edits} file={file} headings={headings} />
      <Bar {...props} />
    </Stack>
  );
}

/** Notices to review before the import. */
function Notices({ notices }: { readonly notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <Alert
      color="yellow"
      mb="sm"
      icon={<IconAlertTriangle aria-hidden />}
      title={t.files.noticesTitle}
    >
      <Stack gap={4} className={classes["text"]}>
        {notices.map((notice) => (
          <Text size="sm" key={notice}>
            {notice}.
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

/** Errors in the file or the options, one per line. */
function Problems({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (!isInvalid(error)) return <Failure error={error} onRetry={onRetry} />;
  return (
    <Alert
      role="alert"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={t.files.problemsTitle}
    >
      <Stack gap={4} className={classes["text"]}>
        {error.issues.map((issue) => (
          <Text size="sm" key={issue.msg}>
            {messageOf(issue)}
          </Text>
        ))}
        <Text size="sm">{t.files.problemsHint}</Text>
      </Stack>
    </Alert>
  );
}

function detectedIn(file: Detected | null | undefined): string {
  if (file === null || file === undefined) return "";
  const { format, encoding, delimiter } = file;
  const parts = [format.toUpperCase(), encoding.toUpperCase()];
  const divided = delimiter === undefined ? undefined : t.files.delimiters[delimiter];
  return t.files.detected(divided === undefined ? parts : [...parts, divided]);
}

/** A sticky bar with the next actions. */
function Bar(props: CheckFileProps) {
  const { check, options, onBack, onCheck, onImport, isStarting, startError, file } = props;
  const { result, error, isRunning } = check;
  const isChecked =
    JSON.stringify(effectiveOf(options)) === JSON.stringify(effectiveOf(check.options ?? {}));
  const isReady = isChecked && !isRunning && error === null && result !== undefined;
  const { rows = 0, refused = 0, skipped = 0 } = result?.job ?? {};
  const taken = rows - refused - skipped;
  const isWhole = result?.checked_bytes === file.size;
  return (
    <div className={classes["bar"]}>
      <Failure error={startError} />
      <Group justify="space-between" gap="xs">
        <Button variant="default" onClick={onBack}>
          {t.common.back}
        </Button>
        <Group gap="sm">
          {!isReady && !isRunning && (
            <Text size="sm" c="dimmed" visibleFrom="sm">
              {isChecked ? "" : t.files.checkFirst}
            </Text>
          )}
          {isReady && taken === 0 && (
            <Text size="sm" c="dimmed">
              {rows === 0 ? t.files.noRows : t.files.nothingToImport}
            </Text>
          )}
          {isReady ? (
            <Button onClick={onImport} loading={isStarting} disabled={taken === 0}>
              {isWhole
                ? taken === 1
                  ? t.files.importOne
                  : t.files.importAll(number(taken))
                : t.files.importFile}
            </Button>
          ) : (
            <Button onClick={onCheck} loading={isRunning}>
              {t.files.checkAgain}
            </Button>
          )}
        </Group>
      </Group>
    </div>
  );
}
