/** The home page: first steps, to-do list and charts. */

import { SegmentedControl, SimpleGrid, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMay, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { GettingStarted } from "./getting-started.tsx";
import { LeadsBySource } from "./leads-by-source.tsx";
import { LoadDemoData } from "./load-demo-data.tsx";
import { PartnerFunnel } from "./partner-funnel.tsx";
import { Pipeline } from "./pipeline.tsx";
import { dayIn, periodsOf, RANGES } from "./range.ts";
import { ToDoList } from "./to-do-list.tsx";
import { Won } from "./won.tsx";

const route = getRouteApi("/console/");

export default function Home() {
  const { person, tenant } = useSession();
  const { range = "month" } = route.useSearch();
  const navigate = useNavigate({ from: "/" });
  const isAdmin = useMay("admin");
  const periods = periodsOf(range, dayIn(tenant.timezone, new Date()));
  return (
    <>
      <PageHeader
        title={t.home.greeting(person.name.split(" ")[0] ?? person.name)}
        actions={
          <SegmentedControl
            aria-label={t.home.range}
            value={range}
            onChange={(chosen) => void navigate({ search: { range: chosen } })}
            data={RANGES.map((value) => ({ value, label: t.home.ranges[value] }))}
          />
        }
      />
      <Stack gap="lg">
        <GettingStarted />
        <LoadDemoData />
        <ToDoList />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <LeadsBySource periods={periods} />
          <Pipeline />
          <Won periods={periods} />
          {isAdmin && <PartnerFunnel periods={periods} />}
        </SimpleGrid>
      </Stack>
    </>
  );
}
