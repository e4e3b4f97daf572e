/** Where one is signed in, and the end of it there. */

import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Awaited, Failure } from "../ui/states/index.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import { deviceOf } from "./device.ts";
import { Time } from "../ui/lists/index.ts";

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
      <Awaited query={query} rows={2} />
      <Failure error={ending.error} />
      {query.data !== undefined && (
        <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label={t.profile.sessionsTitle}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.profile.device}</Table.Th>
                <Table.Th>{t.profile.lastUsed}</Table.Th>
                <Table.Th>{t.people.actions}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {query.data.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td>
                    <Group gap="xs">
                      {deviceOf(session.user_agent)}
                      {session.is_current && (
                        <Badge variant="default" tt="none">
                          {t.profile.thisOne}
                        </Badge>
                      )}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {session.address} · {t.profile.started} <Time at={session.created_ts} />
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Time at={session.last_used_ts} />
                  </Table.Td>
                  <Table.Td>
                    {!session.is_current && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={t.profile.endOf(deviceOf(session.user_agent))}
                        loading={ending.isSending}
                        onClick={() => ending.send(session.id)}
                      >
                        {t.profile.end}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}
