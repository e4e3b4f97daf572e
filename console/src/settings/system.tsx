/** The tenant's failed and slow requests and, for owners of the first tenant, the installation. */

import { Button, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "../api/index.ts";
import { t } from "../text/index.ts";
import { DemoData } from "../demo-data/index.ts";
import { QueryState, Failure } from "../ui/states/index.ts";
import { number } from "../ui/format/index.ts";
import { PageHeader, Section } from "../ui/frame/index.ts";
import { InstallationCard } from "./installation.tsx";
import { SystemRequests } from "./system-requests.tsx";

const text = t.system;
const route = getRouteApi("/console/settings/system");

export default function SystemPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["system"],
    queryFn: ({ signal }) => api.get("/crm/admin/system", { signal }),
  });
  const { data, dataUpdatedAt: at_ms } = query;
  return (
    <>
      <PageHeader
        title={text.title}
        hint={text.hint}
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={query.isRefetching}
            onClick={() => void query.refetch()}
          >
            {text.refresh}
          </Button>
        }
      />
      {data === undefined ? (
        <QueryState query={query} />
      ) : (
        <Stack gap="md">
          <Failure error={query.error} onRetry={() => void query.refetch()} />
          {data.installation !== null && (
            <InstallationCard installation={data.installation} at_s={at_ms / 1000} />
          )}
          <DemoData />
          <Section title={text.requests} hint={text.requestsHint}>
            <SystemRequests
              requests={data.requests}
              search={search}
              onChange={(next) =>
                void navigate({ to: "/settings/system", search: next, replace: true })
              }
            />
            <Unlisted {...data.other_requests} />
          </Section>
        </Stack>
      )}
    </>
  );
}

const Unlisted = ({ failed, slow }: { readonly failed: number; readonly slow: number }) =>
  failed + slow > 0 && (
    <Text size="sm" c="dimmed">
      {text.more(number(failed), number(slow))}
    </Text>
  );
