/** The business's users and their roles. */

import { Badge, Button, Group, Text } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { QueryState } from "../ui/states/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { type Column, DataTable, StatusBadge, Time } from "../ui/lists/index.ts";
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
      <QueryState query={query} />
      {query.data !== undefined && <PeopleTable people={query.data} />}
      <Invite isOpen={isInviting} onClose={() => invite(false)} />
    </>
  );
}

function PeopleTable({ people }: { readonly people: readonly Person[] }) {
  const { person: own } = useSession();
  const columns: readonly Column<Person>[] = [
    {
      label: t.people.name,
      cell: ({ id, name, email }) => (
        <>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {id === own.id && (
              <Badge variant="default" tt="none">
                {t.people.you}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {email ?? t.people.tokenOnly}
          </Text>
        </>
      ),
    },
    {
      label: t.people.role,
      cell: ({ role }) => (role === null ? t.common.none : t.shell.roles[role]),
    },
    {
      label: t.people.status,
      cell: ({ status }) => <StatusBadge value={status} label={t.people.statuses[status]} />,
    },
    {
      label: t.people.secondFactor,
      cell: ({ has_second_factor }) => (has_second_factor ? t.people.on : t.people.off),
    },
    { label: t.people.lastSeen, cell: ({ last_used_ts }) => <Time at={last_used_ts} /> },
    {
      label: t.people.actions,
      cell: (person) =>
        mayChange(own.role, person) && <PersonMenu person={person} isOwn={person.id === own.id} />,
    },
  ];
  return (
    <DataTable label={t.people.title} items={people} columns={columns} keyOf={({ id }) => id} />
  );
}
