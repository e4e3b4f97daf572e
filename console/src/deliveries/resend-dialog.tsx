/**
 * Asks for confirmation before resending several deliveries, then shows the progress and any
 * failures.
 */

import { Alert, Button, Group, List, Modal, Progress, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { t } from "../text/index.ts";
import { number } from "../ui/format/index.ts";
import { Failure, TextLink } from "../ui/states/index.ts";
import { eventOf } from "./attempt-result.ts";
import type { Delivery } from "./search.ts";
import { useResending, type NotResent } from "./use-resending.ts";

const text = t.deliveries;
const FAILURES_SHOWN = 50;

export interface ResendDialogProps {
  readonly title: string;
  readonly question: string;
  readonly find: () => Promise<readonly Delivery[]>;
  /** Called when the dialog closes. `isDone` is true if all deliveries were processed. */
  readonly onClose: (isDone: boolean) => void;
}

export function ResendDialog({ title, question, find, onClose }: ResendDialogProps) {
  const { state, run } = useResending();
  const { total, done, failures, isRunning, error } = state;
  const isOver = !isRunning && error === undefined && total > 0 && done === total;
  const start = async () => {
    const after = await run(find);
    if (after.error !== undefined) return;
    const queued = after.total - after.failures.length;
    notifications.show(
      after.total === 0
        ? { message: text.nothingFailed }
        : { color: "teal", message: text.queued(number(queued)) },
    );
    if (after.failures.length === 0) onClose(true);
  };
  return (
    <Modal opened onClose={() => !isRunning && onClose(isOver)} title={title}>
      <Stack gap="md">
        {!isOver && <Text size="sm">{question}</Text>}
        {total > 0 && (
          <>
            <Progress value={(100 * done) / total} aria-label={text.resendingLabel} />
            <Text size="sm" role="status">
              {text.resending(number(done), number(total))}
            </Text>
          </>
        )}
        <Failure error={error} />
        {failures.length > 0 && <Failures failures={failures} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            disabled={isRunning}
            onClick={() => onClose(isOver)}
            data-autofocus
          >
            {isOver ? t.common.close : t.common.cancel}
          </Button>
          {!isOver && (
            <Button loading={isRunning} onClick={() => void start()}>
              {error === undefined ? text.resend : t.common.tryAgain}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

const Failures = ({ failures }: { readonly failures: readonly NotResent[] }) => (
  <Alert color="red" variant="outline" title={text.notQueued(number(failures.length))}>
    <List size="sm">
      {failures.slice(0, FAILURES_SHOWN).map(({ delivery, why }) => (
        <List.Item key={delivery.id}>
          <TextLink inherit underline="always" to="/deliveries/$id" params={{ id: delivery.id }}>
            {eventOf(delivery)}
          </TextLink>
          {`: ${why}`}
        </List.Item>
      ))}
    </List>
  </Alert>
);
