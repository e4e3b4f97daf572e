/** Links to a delivery's webhook and record. */

import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { findType } from "../record/index.ts";
import { t } from "../text/index.ts";
import { TextLink } from "../ui/states/index.ts";
import classes from "./delivery.module.css";
import { recordLabel } from "./event-label.ts";
import type { Delivery } from "./search.ts";

const text = t.deliveries;

interface WebhookNameProps {
  readonly webhook: NonNullable<Delivery["webhook"]>;
}

/** The webhook's description or URL, linked to its settings. */
export function WebhookName({ webhook }: WebhookNameProps) {
  const { id, kind, url, description, partner } = webhook;
  if (kind === "import_webhook") {
    return (
      <TextLink inherit to="/settings/integrations" search={{ tab: "import_webhook" }}>
        {text.importWebhook}
      </TextLink>
    );
  }
  if (partner !== null) {
    return (
      <TextLink inherit to="/partners/$id" params={{ id: partner.id }}>
        {text.ofPartner(partner.name ?? partner.id)}
      </TextLink>
    );
  }
  if (kind === null) return <Text inherit>{text.deletedWebhook}</Text>;
  return (
    <TextLink inherit to="/settings/webhooks/$id" params={{ id }}>
      {description ?? url}
    </TextLink>
  );
}

export interface WebhookLinkProps {
  readonly delivery: Delivery;
}

/** A delivery's webhook and its URL. */
export function WebhookLink({ delivery: { webhook, url } }: WebhookLinkProps) {
  if (webhook === null || webhook === undefined) return t.common.none;
  const address = webhook.url ?? url;
  const isNamed = webhook.kind !== "event_webhook" || webhook.description !== null;
  return (
    <>
      <Clipped title={webhook.description ?? address}>
        <WebhookName webhook={webhook} />
      </Clipped>
      {isNamed && typeof address === "string" && (
        <Text size="xs" c="dimmed">
          <Clipped title={address}>{address}</Clipped>
        </Text>
      )}
    </>
  );
}

interface RecordNameProps {
  readonly record: NonNullable<Delivery["record"]>;
}

/** The record's name, linked to its page; only its type if the record no longer exists. */
export function RecordName({ record: { type, id, name } }: RecordNameProps) {
  const known = findType(type);
  const label = name ?? recordLabel(type);
  return known === undefined ? (
    <TextLink inherit to="/review/$id" params={{ id }} search={{ status: "all" }}>
      {label}
    </TextLink>
  ) : (
    <TextLink inherit to="/$type/$id" params={{ type: known.plural, id }}>
      {label}
    </TextLink>
  );
}

/** A delivery's record and its type. */
export function RecordLink({ delivery: { record } }: WebhookLinkProps) {
  if (record === null || record === undefined) return t.common.none;
  return (
    <>
      <Clipped title={record.name}>
        <RecordName record={record} />
      </Clipped>
      {record.name !== null && (
        <Text size="xs" c="dimmed">
          {recordLabel(record.type)}
        </Text>
      )}
    </>
  );
}

interface ClippedProps {
  readonly title: string | null | undefined;
  readonly children: ReactNode;
}

/** Text truncated to one line, with the full text in a tooltip. */
export const Clipped = ({ title, children }: ClippedProps) => (
  <span className={classes["clipped"]} title={title ?? undefined}>
    {children}
  </span>
);
