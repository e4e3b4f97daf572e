/** Asks for the tag or status to set, changes the selected records, and lists failures. */

import {
  Alert,
  Button,
  Group,
  List,
  Modal,
  Progress,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { number, words } from "../../ui/format/index.ts";
import type { RecordType, Stored } from "../../record/index.ts";
import type { Selection } from "../list/index.ts";
import { choicesOf, columnLabel } from "../fields/index.ts";
import { nameOf } from "../grid/index.ts";
import { useBulk, type BulkState, type Change } from "./use-bulk.ts";

export type Deed = "tag" | "status";

export interface BulkDialogProps {
  readonly type: RecordType;
  readonly deed: Deed;
  readonly selection: Selection;
  readonly onClose: () => void;
}

const TAG_MAX = 100;

const tagging =
  (tag: string): Change =>
  (record) => {
    const tags = (record["tags"] ?? []) as readonly string[];
    return tags.includes(tag) ? undefined : { tags: [...tags, tag] };
  };

const setting =
  (field: string, value: string): Change =>
  (record) =>
    record[field] === value ? undefined : { [field]: value };

export function BulkDialog({ type, deed, selection, onClose }: BulkDialogProps) {
  const { state, run, stop } = useBulk(type);
  const [value, setValue] = useState("");
  const [isTried, setTried] = useState(false);
  const { selected } = selection;
  const isOver = state.total > 0 && !state.isRunning;
  const left = isOver ? state.failures.map(({ record }) => record) : [...selected.values()];
  const title =
    deed === "tag"
      ? t.table.bulk.addTag
      : t.table.bulk.setStatus(columnLabel(type, type.status_field));
  const close = () => {
    stop();
    if (isOver && state.failures.length === 0) selection.clear();
    onClose();
  };
  const start = async (records: readonly Stored[]) => {
    setTried(true);
    const chosen = value.trim();
    if (chosen === "") return;
    await run(records, deed === "tag" ? tagging(chosen) : setting(type.status_field, chosen));
  };
  const error = isTried && value.trim() === "" && t.table.bulk.choose;
  return (
    <Modal opened onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start(left);
        }}
      >
        <Stack gap="md">
          {deed === "tag" ? (
            <TextInput
              label={t.table.bulk.tag}
              description={t.table.bulk.tagHint}
              value={value}
              maxLength={TAG_MAX}
              error={error}
              disabled={state.isRunning}
              data-autofocus
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          ) : (
            <Select
              label={columnLabel(type, type.status_field)}
              data={(choicesOf(type, type.status_field) ?? []).map((of) => ({
                value: of,
                label: words(of),
              }))}
              value={value || null}
              error={error}
              disabled={state.isRunning}
              data-autofocus
              onChange={(next) => setValue(next ?? "")}
            />
          )}
          {state.total > 0 && <Outcome type={type} state={state} />}
          <Group justify="flex-end" gap="xs">
            {state.isRunning ? (
              <Button variant="default" onClick={stop}>
                {t.table.bulk.stop}
              </Button>
            ) : (
              <Button variant="default" onClick={close}>
                {isOver ? t.common.close : t.common.cancel}
              </Button>
            )}
            {left.length > 0 && (
              <Button type="submit" loading={state.isRunning}>
                {isOver ? t.table.bulk.retry : t.table.bulk.apply(number(left.length))}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const FAILURES_SHOWN = 50;

function Outcome({ type, state }: { readonly type: RecordType; readonly state: BulkState }) {
  const { total, done, failures, isRunning } = state;
  return (
    <>
      <Progress value={(100 * done) / total} aria-label={t.table.bulk.progressLabel} />
      <Text size="sm" role="status">
        {isRunning
          ? t.table.bulk.progress(number(done), number(total))
          : t.table.bulk.done(number(done - failures.length))}
      </Text>
      {failures.length > 0 && (
        <Alert color="red" variant="outline" title={t.table.bulk.failed(number(failures.length))}>
          <List size="sm">
            {failures.slice(0, FAILURES_SHOWN).map(({ record, why }) => (
              <List.Item key={record._id}>
                {nameOf(type, record)}: {why}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
