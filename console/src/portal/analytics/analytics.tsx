/** The analytics page: the progress of the partner's leads, and the partner's earnings. */

import { SegmentedControl, Group, Select } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import {
  type AnalyticsSearch,
  analyticsSearch,
  DayInput,
  type RangeName,
  RANGES,
  useRight,
} from "../partner/index.ts";
import { Earned } from "./earned.tsx";
import { Months } from "./months.tsx";
import { today } from "../../ui/days/index.ts";

const route = getRouteApi("/portal/partner/analytics");
const texts = portalTexts.analytics;
const NAMES = RANGES.map((value) => ({ value, label: texts.ranges[value] }));

export default function AnalyticsPage() {
  const may = useRight("analytics");
  return (
    <>
      <PageHeader title={texts.title} hint={texts.hint} />
      {may ? <Chosen /> : <Empty icon={IconLock} title={texts.denied} hint={texts.deniedHint} />}
    </>
  );
}

function Chosen() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/partner/analytics" });
  const choose = (next: AnalyticsSearch) => void navigate({ search: next, replace: true });
  const range = search.range ?? "this_month";
  const chooseRange = (value: string | null) => {
    const to = today();
    if (value === "custom") return choose({ range: "custom", from: `${to.slice(0, 8)}01`, to });
    choose(value === null || value === "this_month" ? {} : { range: value as RangeName });
  };
  const { from, to } = search;
  const isBackwards = range === "custom" && from !== undefined && to !== undefined && from > to;
  const set = (name: "from" | "to", value: string | null) =>
    choose(analyticsSearch({ ...search, [name]: value }));
  return (
    <>
      <Group gap="sm" mb="lg" align="flex-end">
        <SegmentedControl
          aria-label={texts.range}
          data={NAMES}
          value={range}
          onChange={chooseRange}
          visibleFrom="sm"
        />
        <Select
          label={texts.range}
          data={NAMES}
          value={range}
          onChange={chooseRange}
          allowDeselect={false}
          hiddenFrom="sm"
          w="100%"
        />
        {range === "custom" && (
          <>
            <DayInput
              label={texts.from}
              w={160}
              value={search.from ?? null}
              onChange={(value) => set("from", value)}
              {...(search.to !== undefined && { maxDate: search.to })}
            />
            <DayInput
              label={texts.to}
              w={160}
              value={search.to ?? null}
              error={isBackwards && texts.badRange}
              onChange={(value) => set("to", value)}
              {...(search.from !== undefined && { minDate: search.from })}
            />
          </>
        )}
      </Group>
      {!isBackwards && <Earned search={search} />}
      <Months />
    </>
  );
}
