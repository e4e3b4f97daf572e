/** The tenant's storage use and limits. Renders nothing if there is no limit. */

import { Alert, Group, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Failure, Fault } from "../ui/states/index.ts";
import { bytes, number, percent } from "../ui/format/index.ts";
import { Section } from "../ui/frame/index.ts";
import { Time } from "../ui/lists/index.ts";

const USAGE = "/crm/admin/tenant/usage";
/** If at least this fraction of a limit is in use, the page recommends raising the limit. */
const NEAR = 0.8;

const usageQuery = queryOptions({
  queryKey: ["tenant", "usage"],
  queryFn: ({ signal }) => api.get(USAGE, { signal }),
});

const RESOURCES = [
  { member: "records", name: t.business.storedRecords, full: t.business.recordsFull, show: number },
  {
    member: "bytes",
    name: t.business.storedBytes,
    full: t.business.bytesFull,
    show: (count: number) => bytes(count, 1024),
  },
] as const;

export function Storage() {
  const { data, error } = useQuery(usageQuery);
  if (data === undefined) return <Failure error={error} />;
  const limited = RESOURCES.flatMap(({ member, ...resource }) => {
    const amount = data[member];
    return amount === null ? [] : [{ ...resource, ...amount }];
  });
  if (limited.length === 0) return null;
  return (
    <Stack maw={760} mb="md">
      <Section title={t.business.storage} hint={t.business.storageHint}>
        {limited.map((resource) => (
          <Amount key={resource.name} {...resource} />
        ))}
        {data.measured_ts !== null && (
          <Text size="sm" c="dimmed">
            {t.business.measured} <Time at={data.measured_ts} />
          </Text>
        )}
      </Section>
    </Stack>
  );
}

interface AmountProps {
  readonly name: string;
  readonly used: number | null;
  readonly quota: number;
  /** A description of what no longer works once the limit is reached. */
  readonly full: string;
  readonly show: (count: number) => string;
}

function Amount({ name, used, quota, full, show }: AmountProps) {
  const share = (used ?? 0) / quota;
  const color = share >= 1 ? "red" : share >= NEAR ? "yellow" : undefined;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{name}</Text>
        <Text size="sm">
          {used === null
            ? t.business.notMeasured(show(quota))
            : t.business.stored(show(used), show(quota))}
        </Text>
      </Group>
      <Progress value={Math.min(100, 100 * share)} aria-label={name} {...(color && { color })} />
      {share >= 1 && <Fault title={t.business.atQuota(name)}>{full}</Fault>}
      {share >= NEAR && share < 1 && (
        <Alert
          color="yellow"
          role="status"
          icon={<IconAlertTriangle aria-hidden />}
          title={t.business.nearQuota(name, percent(Math.floor(1000 * share) / 1000))}
        >
          {t.business.nearQuotaText}
        </Alert>
      )}
    </Stack>
  );
}
