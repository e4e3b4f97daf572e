/** The audit log. */

import { Box, Stack } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import type { Change } from "@leadport/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useList } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { ListStates } from "../../ui/lists/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import { AuditEntry } from "./audit-entry.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import type { AuditSearch } from "../search/index.ts";
import { spanOf } from "../../ui/days/index.ts";

const route = getRouteApi("/console/settings/audit");

export default function Audit() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { from, to, ...filters } = search;
  const list = useList<Change>("/crm/admin/audit", {
    query: { ...filters, ...spanOf({ from, to }) },
  });
  const narrow = (next: AuditSearch) => void navigate({ to: "/settings/audit", search: next });
  return (
    <Box maw={1200}>
      <PageHeader title={t.audit.title} hint={t.audit.hint} />
      <AuditFilters search={search} entries={list.items} onChange={narrow} />
      <ListStates
        list={list}
        empty={
          Object.keys(search).length === 0 ? (
            <Empty icon={IconActivity} title={t.audit.emptyTitle} />
          ) : (
            <Empty icon={IconActivity} title={t.audit.noneTitle} hint={t.audit.none} />
          )
        }
      >
        <Stack component="ul" gap="xs" p={0} m={0} aria-label={t.audit.title}>
          {list.items.map((entry) => (
            <AuditEntry
              key={entry.id}
              entry={entry}
              onNarrow={(part) => narrow({ ...search, ...part })}
            />
          ))}
        </Stack>
      </ListStates>
    </Box>
  );
}
