/** Checkboxes for a webhook's events: all events, all events of a type, or individual events. */

import { Accordion, Checkbox, Group, Input, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import {
  allOf,
  eventGroups,
  EVERYTHING,
  groupLabel,
  typesIn,
  withEvent,
  type EventGroup,
} from "../../deliveries/index.ts";
import { t } from "../../text/index.ts";

const text = t.webhooks;

export interface EventChoiceProps {
  readonly value: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
  readonly error?: ReactNode;
}

export function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const isAll = value.includes(EVERYTHING);
  const [open, setOpen] = useState<string[]>(() => (isAll ? [] : [...typesIn(value)]));
  const choose = (event: string, isChosen: boolean) => onChange(withEvent(value, event, isChosen));
  return (
    <Input.Wrapper
      label={text.events}
      labelElement="div"
      description={text.eventsHint}
      withAsterisk
      error={error}
      errorProps={{ role: "alert" }}
    >
      <Stack gap="sm" mt={8} role="group" aria-label={text.events}>
        <Checkbox
          label={text.allEvents}
          description={text.allEventsHint}
          checked={isAll}
          onChange={({ currentTarget }) => choose(EVERYTHING, currentTarget.checked)}
        />
        {!isAll && (
          <Accordion multiple variant="separated" value={open} onChange={setOpen}>
            {eventGroups().map((group) => (
              <GroupOfEvents key={group.type} group={group} chosen={value} onChoose={choose} />
            ))}
          </Accordion>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface GroupOfEventsProps {
  readonly group: EventGroup;
  readonly chosen: readonly string[];
  readonly onChoose: (event: string, isChosen: boolean) => void;
}

function GroupOfEvents({ group: { type, words }, chosen, onChoose }: GroupOfEventsProps) {
  const label = groupLabel(type);
  const all = allOf(type);
  const isAll = chosen.includes(all);
  const events = words.map((word) => ({ word, event: `${type}.${word}` }));
  const count = isAll ? events.length : events.filter(({ event }) => chosen.includes(event)).length;
  return (
    <Accordion.Item value={type}>
      <Accordion.Control>
        <Group justify="space-between" pr="xs">
          <Text size="sm" fw={500}>
            {label}
          </Text>
          <Text size="sm" c="dimmed">
            {text.countOf(count, events.length)}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Checkbox
            label={text.allOf(label.toLowerCase())}
            description={text.allOfHint}
            checked={isAll}
            onChange={({ currentTarget }) => onChoose(all, currentTarget.checked)}
          />
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
            {events.map(({ word, event }) => (
              <Checkbox
                key={event}
                label={text.word[word] ?? word}
                description={text.wordHint[word]}
                checked={isAll || chosen.includes(event)}
                disabled={isAll}
                onChange={({ currentTarget }) => onChoose(event, currentTarget.checked)}
              />
            ))}
          </SimpleGrid>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
