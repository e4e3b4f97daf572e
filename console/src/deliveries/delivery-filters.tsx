/** The delivery list's filters, which are stored in the URL. */

import { Button, NativeSelect } from "@mantine/core";
import type { EventWebhook } from "@leadport/client";
import { IconX } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useList } from "../api/index.ts";
import { t } from "../text/index.ts";
import { DayRange, FilterGrid } from "../ui/forms/index.ts";
import { eventGroups, LEAD_IMPORTED } from "./event-groups.ts";
import { groupLabel } from "./event-label.ts";
import { IMPORT_WEBHOOK, STATUSES, type DeliverySearch } from "./search.ts";

const text = t.deliveries;
const ANY = { value: "", label: text.any };
const LABEL_MAX = 60;

const eventOptions = () => [
  ANY,
  { group: text.importWebhook, items: [LEAD_IMPORTED] },
  ...eventGroups().map(({ type, words }) => ({
    group: groupLabel(type),
    items: words.map((word) => `${type}.${word}`),
  })),
];

export function DeliveryFilters({ search }: { readonly search: DeliverySearch }) {
  const navigate = useNavigate({ from: "/deliveries" });
  const change = (next: DeliverySearch): void =>
    void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false });
  return (
    <FilterGrid label={text.filters}>
      <NativeSelect
        label={text.status}
        value={search.status ?? ""}
        onChange={({ currentTarget: { value } }) =>
          change({ status: STATUSES.find((status) => status === value) })
        }
        data={[ANY, ...STATUSES.map((value) => ({ value, label: text.statuses[value] }))]}
      />
      <NativeSelect
        label={text.event}
        value={search.event ?? ""}
        onChange={({ currentTarget: { value } }) => change({ event: value || undefined })}
        data={eventOptions()}
      />
      <WebhookSelect search={search} onChange={change} />
      <DayRange labels={text} value={search} onChange={change} />
      {search.record_id !== undefined && (
        <Button
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={text.clearRecord}
          onClick={() => change({ record_id: undefined })}
        >
          {text.recordFilter}
        </Button>
      )}
    </FilterGrid>
  );
}

interface WebhookSelectProps {
  readonly search: DeliverySearch;
  readonly onChange: (next: DeliverySearch) => void;
}

/**
 * A menu of the business's own webhooks. It also lists the webhook in the URL, which may belong to a partner or be
 * deleted.
 */
function WebhookSelect({ search: { webhook_id }, onChange }: WebhookSelectProps) {
  const { items } = useList<EventWebhook>("/crm/webhooks");
  const known = items.map(({ id, description, url }) => ({
    value: id,
    label: clipped(description ?? url),
  }));
  const options = [ANY, { value: IMPORT_WEBHOOK, label: text.importWebhook }, ...known];
  const isKnown = options.some(({ value }) => value === (webhook_id ?? ""));
  return (
    <NativeSelect
      label={text.webhook}
      value={webhook_id ?? ""}
      onChange={({ currentTarget: { value } }) => onChange({ webhook_id: value || undefined })}
      data={isKnown ? options : [...options, { value: webhook_id ?? "", label: text.otherWebhook }]}
    />
  );
}

const clipped = (label: string): string =>
  label.length > LABEL_MAX ? `${label.slice(0, LABEL_MAX - 1)}…` : label;
