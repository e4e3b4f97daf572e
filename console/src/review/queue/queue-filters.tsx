/** The queue's filters: status tabs with counts, and further filters. */

import { Button, Group, NativeSelect, Popover, Stack } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { typeNamed } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { DayRange } from "../../ui/forms/index.ts";
import { number, wordOptions } from "../../ui/format/index.ts";
import {
  countFilters,
  type Counts,
  type Order,
  orderOf,
  ORDERS,
  type PushedLead,
  type QueueSearch,
  TABS,
  usePartnerNames,
} from "../pushed-leads/index.ts";
import classes from "../pushed-leads/review.module.css";

export interface QueueFiltersProps {
  readonly search: QueueSearch;
  readonly counts: Counts | undefined;
  readonly leads: readonly PushedLead[];
  readonly change: (search: QueueSearch) => void;
}

export function QueueFilters({ search, counts, leads, change }: QueueFiltersProps) {
  const set = countFilters(search);
  return (
    <div className={classes["bar"]}>
      <nav className={classes["tabs"]} aria-label={t.review.statusNav}>
        {TABS.map((tab) => (
          <Link
            key={tab}
            to="/review"
            search={{ ...search, status: tab === "pending" ? undefined : tab }}
            className={classes["tab"]}
            // Without this, the tab that sets no status would also be active for every other
            // status.
            activeOptions={{ explicitUndefined: true }}
          >
            {t.review.statuses[tab]}
            {tab !== "all" && (
              <span className={classes["count"]}>
                {counts === undefined ? "" : number(counts[tab])}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <Group gap="xs" wrap="nowrap">
        <NativeSelect
          aria-label={t.review.order}
          value={orderOf(search)}
          onChange={(event) => change({ ...search, order: event.currentTarget.value as Order })}
          data={ORDERS.map((value) => ({ value, label: t.review.orders[value] }))}
        />
        <Popover position="bottom-end" width={300} trapFocus returnFocus withinPortal>
          <Popover.Target>
            <Button
              variant={set > 0 ? "light" : "default"}
              leftSection={<IconFilter size={16} aria-hidden />}
            >
              {set > 0 ? t.review.filtersSet(set) : t.review.filters}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t.review.filters}>
            <FilterFields search={search} leads={leads} change={change} />
          </Popover.Dropdown>
        </Popover>
      </Group>
    </div>
  );
}

const sources = (): readonly string[] => typeNamed("lead").fields["source"]?.options ?? [];

const ANY = { value: "", label: t.review.any };

function FilterFields({ search, leads, change }: Omit<QueueFiltersProps, "counts">) {
  const partners = usePartnerNames(leads, search.partner);
  const { status, order } = search;
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t.review.partner}
        value={search.partner ?? ""}
        onChange={(event) => change({ ...search, partner: event.currentTarget.value || undefined })}
        data={[ANY, ...partners.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <NativeSelect
        label={t.review.source}
        value={search.source ?? ""}
        onChange={(event) => change({ ...search, source: event.currentTarget.value || undefined })}
        data={[ANY, ...wordOptions(sources())]}
      />
      <NativeSelect
        label={t.review.duplicate}
        value={search.duplicate === undefined ? "" : String(search.duplicate)}
        onChange={({ currentTarget: { value } }) =>
          change({ ...search, duplicate: value === "" ? undefined : value === "true" })
        }
        data={[
          ANY,
          { value: "true", label: t.review.duplicates.true },
          { value: "false", label: t.review.duplicates.false },
        ]}
      />
      <DayRange
        labels={t.review}
        value={search}
        onChange={(part) => change({ ...search, ...part })}
      />
      <Button
        variant="subtle"
        disabled={countFilters(search) === 0}
        onClick={() => change({ status, order })}
      >
        {t.review.clearFilters}
      </Button>
    </Stack>
  );
}
