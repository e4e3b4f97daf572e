/** The latest decisions: time left to undo them, failures, and results of a bulk decision. */

import { Anchor, Button, CloseButton, Group, Kbd, Modal, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconArrowBackUp, IconCheck } from "@tabler/icons-react";
import { sentenceOf, useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { StatusBadge, useNow } from "../../ui/lists/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import type { OutboxState, Held, Outcome } from "./outbox.ts";
import { importedIn, outbox, setOutcome, useOutcome } from "./decision-outbox.ts";
import classes from "../pushed-leads/review.module.css";
import type { Decision } from "./send-decision.ts";

export interface DecisionStripProps {
  readonly state: OutboxState;
  readonly undo: () => void;
  readonly hasKeys: boolean;
  /** Opens the list of keyboard shortcuts. Undefined if there are none. */
  readonly showKeys: (() => void) | undefined;
}

/** Returns the name or the number of the decided leads: "Ines Falk", "12 leads". */
export const subjectOf = ({ leads }: Pick<Decision, "leads">): string =>
  leads.length === 1 ? (leads[0]?.name ?? "") : t.review.leads(leads.length);

const summaryOf = (decision: Decision): string =>
  t.review.done[decision.choice.action](subjectOf(decision));

export function DecisionStrip({ state, undo, hasKeys, showKeys }: DecisionStripProps) {
  const outcome = useOutcome();
  const last = state.held.at(-1);
  return (
    <div className={classes["strip"]} data-held={last !== undefined || undefined}>
      <Group gap="sm" role="status" flex={1} miw={0}>
        {last !== undefined ? (
          <Text size="sm" fw={600}>
            {summaryOf(last)}
            {state.held.length > 1 && (
              <Text span c="dimmed" fw={400}>
                {" "}
                {t.review.more(state.held.length - 1)}
              </Text>
            )}
          </Text>
        ) : outcome !== undefined ? (
          <OutcomeLine outcome={outcome} />
        ) : (
          <Text size="sm" c="dimmed">
            {state.sending.length > 0
              ? t.review.sending
              : hasKeys
                ? t.review.quiet
                : t.review.quietWithoutKeys}
          </Text>
        )}
      </Group>
      {last !== undefined ? (
        <UndoButton held={last} undo={undo} hasKeys={hasKeys} />
      ) : (
        showKeys !== undefined && (
          <Anchor component="button" type="button" size="sm" onClick={showKeys} py={4}>
            {t.review.keys}
          </Anchor>
        )
      )}
      {state.unsent.length > 0 && <Unsent unsent={state.unsent} />}
    </div>
  );
}

interface UndoButtonProps {
  readonly held: Held;
  readonly undo: () => void;
  readonly hasKeys: boolean;
}

function UndoButton({ held, undo, hasKeys }: UndoButtonProps) {
  const now_ms = useNow(250);
  const left_s = Math.max(0, Math.ceil((held.until_ms - now_ms) / 1000));
  return (
    <>
      <span className={classes["seconds"]} aria-hidden>
        {t.review.sendsIn(left_s)}
      </span>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        rightSection={
          hasKeys && (
            <Kbd size="xs" aria-hidden>
              U
            </Kbd>
          )
        }
        {...(hasKeys && { "aria-keyshortcuts": "U" })}
        onClick={undo}
      >
        {t.review.undo}
      </Button>
    </>
  );
}

function Unsent({ unsent }: { readonly unsent: OutboxState["unsent"] }) {
  return (
    <Group gap="xs" w="100%" role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <Text size="sm" flex={1} miw="12rem">
        <b>{t.review.unsent(unsent.length)}</b> {sentenceOf(unsent[0]?.error)}
      </Text>
      <Button size="xs" variant="default" onClick={outbox.discard}>
        {t.review.discard}
      </Button>
      <Button size="xs" onClick={outbox.tryAgain}>
        {t.common.tryAgain}
      </Button>
    </Group>
  );
}

function OutcomeLine({ outcome }: { readonly outcome: Outcome }) {
  const imported = importedIn(outcome);
  return outcome.decision.leads.length > 1 ? (
    <BulkOutcome outcome={outcome} />
  ) : (
    <>
      <IconCheck size={18} aria-hidden />
      <Text size="sm" fw={600}>
        {summaryOf(outcome.decision)}
      </Text>
      {imported === undefined ? (
        <TextLink size="sm" to="/review" search={{ status: "accepted" }}>
          {t.review.importNext}
        </TextLink>
      ) : (
        <OpenLead id={imported} />
      )}
      <CloseButton aria-label={t.common.close} onClick={() => setOutcome(undefined)} />
    </>
  );
}

const OpenLead = ({ id }: { readonly id: string }) =>
  useMay("records:read") && (
    <TextLink size="sm" to="/$type/$id" params={{ type: "leads", id }}>
      {t.review.openLead}
    </TextLink>
  );

function BulkOutcome({ outcome }: { readonly outcome: Outcome }) {
  const [isOpen, { open, close }] = useDisclosure();
  const { decision, results } = outcome;
  const done = results.filter(({ ok }) => ok).length;
  const Pictured = done === results.length ? IconCheck : IconAlertTriangle;
  return (
    <>
      <Pictured size={18} aria-hidden />
      <Text size="sm" fw={600}>
        {summaryOf(decision)}: {t.review.outcome(done, results.length)}
      </Text>
      <Button size="xs" variant="default" onClick={open}>
        {t.review.showOutcome}
      </Button>
      <CloseButton aria-label={t.common.close} onClick={() => setOutcome(undefined)} />
      <Modal opened={isOpen} onClose={close} size="lg" title={t.review.outcomeTitle}>
        <OutcomeTable outcome={outcome} />
      </Modal>
    </>
  );
}

function OutcomeTable({ outcome: { decision, results } }: { readonly outcome: Outcome }) {
  const names = new Map(decision.leads.map(({ id, name }) => [id, name]));
  // List failures first.
  const sorted = results.toSorted((one, other) => Number(one.ok) - Number(other.ok));
  return (
    <Table aria-label={t.review.outcomeTitle}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.review.outcomeLead}</Table.Th>
          <Table.Th>{t.review.outcomeResult}</Table.Th>
          <Table.Th>{t.review.status}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map(({ id, ok, detail, status }) => (
          <Table.Tr key={id}>
            <Table.Td>{names.get(id) ?? id}</Table.Td>
            <Table.Td>
              {ok ? t.review.outcomeDone : `${t.review.outcomeRefused}: ${detail ?? ""}`}
            </Table.Td>
            <Table.Td>
              {status !== null && <StatusBadge value={status} label={t.review.statuses[status]} />}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
