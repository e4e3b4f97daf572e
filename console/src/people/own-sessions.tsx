/** The signed-in user's active sessions, with buttons to end them. */

import { Badge, Button, Group, Text } from "@mantine/core";
import type { PersonSession } from "@leadport/client";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { QueryState, Failure } from "../ui/states/index.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import { deviceOf } from "./device.ts";
import { type Column, DataTable, Time } from "../ui/lists/index.ts";

async function endOthers(): Promise<void> {
  const { ended } = await api.post("/auth/sessions/end_others");
  notifications.show({ message: t.people.ended(ended) });
}

export function OwnSessions() {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ["own-sessions"],
    queryFn: async ({ signal }) => api.get("/auth/sessions", { signal }),
  });
  const refresh = async () => queries.invalidateQueries({ queryKey: ["own-sessions"] });
  const ending = useSending(
    async (session_id: string) =>
      api.delete("/auth/sessions/{session_id}", { path: { session_id } }),
    refresh,
  );
  const columns: readonly Column<PersonSession>[] = [
    {
      label: t.profile.device,
      cell: ({ user_agent, address, is_current, created_ts }) => (
        <>
          <Group gap="xs">
            {deviceOf(user_agent)}
            {is_current && (
              <Badge variant="default" tt="none">
                {t.profile.thisOne}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {address} · {t.profile.started} <Time at={created_ts} />
          </Text>
        </>
      ),
    },
    { label: t.profile.lastUsed, cell: ({ last_used_ts }) => <Time at={last_used_ts} /> },
    {
      label: t.people.actions,
      cell: ({ id, user_agent, is_current }) =>
        !is_current && (
          <Button
            size="xs"
            variant="default"
            aria-label={t.profile.endOf(deviceOf(user_agent))}
            loading={ending.isSending}
            onClick={() => ending.send(id)}
          >
            {t.profile.end}
          </Button>
        ),
    },
  ];
  return (
    <Section
      title={t.profile.sessionsTitle}
      actions={
        <ConfirmButton
          title={t.profile.endOthers}
          text={t.profile.endOthersText}
          confirm={t.profile.endOthers}
          work={endOthers}
          onDone={refresh}
        >
          {t.profile.endOthers}
        </ConfirmButton>
      }
    >
      <QueryState query={query} rows={2} />
      <Failure error={ending.error} />
      {query.data !== undefined && (
        <DataTable
          label={t.profile.sessionsTitle}
          items={query.data}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}
