/** Who may sign in, and what they may do. */

import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Awaited } from "../ui/states/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { StatusBadge, Time } from "../ui/lists/index.ts";
import { Invite } from "./invite.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { mayChange, peopleQuery, type Person } from "./use-people.ts";

const route = getRouteApi("/console/settings/people");

export default function People() {
  const { invite: isInviting = false } = route.useSearch();
  const navigate = useNavigate();
  const invite = (isOpen: boolean) =>
    void navigate({
      to: "/settings/people",
      search: isOpen ? { invite: true } : {},
      replace: true,
    });
  const query = useQuery(peopleQuery);
  return (
    <>
      <PageHeader
        title={t.people.title}
        hint={t.people.hint}
        actions={
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => invite(true)}>
            {t.people.invite}
          </Button>
        }
      />
      <Awaited query={query} />
      {query.data !== undefined && <PeopleTable people={query.data} />}
      <Invite isOpen={isInviting} onClose={() => invite(false)} />
    </>
  );
}

function PeopleTable({ people }: { readonly people: readonly Person[] }) {
  const { person: own } = useSession();
  const columns = [
    t.people.name,
    t.people.role,
    t.people.status,
    t.people.secondFactor,
    t.people.lastSeen,
    t.people.actions,
  ];
  return (
    <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table highlightOnHover aria-label={t.people.title}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td>
                <Group gap="xs">
                  <Text fw={500}>{person.name}</Text>
                  {person.id === own.id && (
                    <Badge variant="default" tt="none">
                      {t.people.you}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" c="dimmed">
                  {person.email ?? t.people.tokenOnly}
                </Text>
              </Table.Td>
              <Table.Td>
                {person.role === null ? t.common.none : t.shell.roles[person.role]}
              </Table.Td>
              <Table.Td>
                <StatusBadge value={person.status} label={t.people.statuses[person.status]} />
              </Table.Td>
              <Table.Td>{person.has_second_factor ? t.people.on : t.people.off}</Table.Td>
              <Table.Td>
                <Time at={person.last_used_ts} />
              </Table.Td>
              <Table.Td>
                {mayChange(own.role, person) && (
                  <PersonMenu person={person} isOwn={person.id === own.id} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
