/** Failed and slow requests by credential and operation, with filters. */

import { Badge, Button, Code, Group, Select, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import type { FailedOperation } from "@leadport/client";
import { t } from "../text/index.ts";
import { type Column, DataTable, Time } from "../ui/lists/index.ts";
import { duration, number } from "../ui/format/index.ts";
import { FilterGrid, SearchSelect } from "../ui/forms/index.ts";
import { Empty } from "../ui/states/index.ts";
import { readSystemSearch, SHOWN, type SystemSearch } from "./search/index.ts";

const text = t.system;
const LABELS = { failed: text.onlyFailed, slow: text.onlySlow };

export interface SystemRequestsProps {
  readonly requests: readonly FailedOperation[];
  readonly search: SystemSearch;
  readonly onChange: (search: SystemSearch) => void;
}

export function SystemRequests({ requests, search, onChange }: SystemRequestsProps) {
  if (requests.length === 0) return <Empty icon={IconCircleCheck} title={text.emptyTitle} />;
  const { credential, only } = search;
  const found = requests.filter(
    (row) =>
      (credential === undefined || row.credential.id === credential) &&
      (only === undefined || row[only] > 0),
  );
  return (
    <Stack gap={0}>
      <Filters requests={requests} search={search} onChange={onChange} />
      {found.length === 0 ? (
        <Empty title={text.noneTitle} hint={text.noneHint} />
      ) : (
        <DataTable label={text.requests} items={found} columns={COLUMNS} keyOf={keyOf} />
      )}
    </Stack>
  );
}

function Filters({ requests, search, onChange }: SystemRequestsProps) {
  const change = (part: Readonly<Record<string, string | null>>) =>
    onChange(readSystemSearch({ ...search, ...part }));
  const credentials = new Map(
    requests.map(({ credential }) => [credential.id, nameOf(credential)] as const),
  );
  return (
    <FilterGrid label={text.filters}>
      <SearchSelect
        label={text.credential}
        placeholder={text.anyCredential}
        clearable
        data={[...credentials].map(([value, label]) => ({ value, label }))}
        value={search.credential ?? null}
        onChange={(value) => change({ credential: value })}
        clearButtonProps={{ "aria-label": text.clear }}
      />
      <Select
        label={text.show}
        placeholder={text.all}
        clearable
        data={SHOWN.map((value) => ({ value, label: LABELS[value] }))}
        value={search.only ?? null}
        onChange={(value) => change({ only: value })}
        clearButtonProps={{ "aria-label": text.clear }}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => onChange({})}>
          {text.clear}
        </Button>
      )}
    </FilterGrid>
  );
}

const keyOf = ({ credential, method, route }: FailedOperation): string =>
  `${credential.kind} ${credential.id} ${method} ${route}`;

const nameOf = ({ id, name }: FailedOperation["credential"]): string => name ?? text.deleted(id);

const COLUMNS: readonly Column<FailedOperation>[] = [
  {
    label: text.credential,
    cell: ({ credential }) => (
      <Stack gap={0} maw={280}>
        <Text size="sm" lineClamp={2} title={nameOf(credential)}>
          {nameOf(credential)}
        </Text>
        <Text size="xs" c="dimmed">
          {text.kinds[credential.kind]}
        </Text>
      </Stack>
    ),
  },
  {
    label: text.operation,
    cell: ({ method, route }) => (
      <Code>
        {method} {route}
      </Code>
    ),
  },
  { label: text.failed, isNumber: true, cell: ({ failed }) => number(failed) },
  {
    label: text.byStatus,
    cell: ({ failed, statuses }) => (
      <Group gap={4}>
        {failed === 0 && t.common.none}
        {Object.entries(statuses).map(([status, count]) => (
          <Badge
            key={status}
            variant="light"
            tt="none"
            color={Number(status) < 500 ? "gray" : "red"}
          >
            {text.times(status, number(count))}
          </Badge>
        ))}
      </Group>
    ),
  },
  { label: text.slow, isNumber: true, cell: ({ slow }) => number(slow) },
  {
    label: text.slowest,
    isNumber: true,
    cell: ({ slowest_ms }) => duration(slowest_ms / 1000),
  },
  { label: text.last, cell: ({ last_ts }) => <Time at={last_ts} /> },
];
