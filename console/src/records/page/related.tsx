/** Related records: all API lists that can be filtered by a reference to this record. */

import { Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useList, useMay, useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money, number } from "../../ui/format/index.ts";
import { type Column, DataTable, StatusBadge, Time } from "../../ui/lists/index.ts";
import {
  fieldLabel,
  filterFields,
  listPath,
  pageOf,
  recordTypes,
  typeLabel,
  type RecordType,
  type Stored,
} from "../../record/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { QueryState, LinkButton, TextLink } from "../../ui/states/index.ts";
import { MailLink } from "../values/index.ts";

export interface RelatedProps {
  readonly type: RecordType;
  readonly record: Stored;
}

interface Relation {
  readonly other: RecordType;
  /** The field in the other type that refers to this record. */
  readonly by: string;
}

const relationsOf = (type: RecordType): readonly Relation[] =>
  recordTypes().flatMap((other) =>
    Object.entries(other.fields)
      .filter(([, field]) => field.record_type === type.name)
      .filter(([by]) => filterFields(other).includes(by))
      .map(([by]) => ({ other, by })),
  );

export const Related = ({ type, record }: RelatedProps) =>
  relationsOf(type).map((relation) => (
    <RelatedList key={`${relation.other.name} ${relation.by}`} {...relation} record={record} />
  ));

const PAGE_SIZE = 5;

function RelatedList({ other, by, record }: Relation & { readonly record: Stored }) {
  const mayWrite = useMay("records:write");
  const columns = useColumnsOf(other);
  const { one, many } = typeLabel(other);
  const filter = { [by]: record._id };
  const { items, total, query } = useList<Stored>(listPath(other), {
    query: { match_filter_dict: filter, page_size: PAGE_SIZE },
    isCounted: true,
  });
  // A contact's deal also belongs to the contact's account.
  const account = other.fields["account_id"] !== undefined ? record["account_id"] : undefined;
  const given = { ...(typeof account === "string" && { account_id: account }), ...filter };
  return (
    <Section
      title={total === undefined || total === 0 ? many : t.record.withCount(many, number(total))}
      actions={
        <Group gap="xs">
          {items.length > 0 && (
            <LinkButton
              to="/$type"
              params={{ type: other.plural }}
              search={{ filter: JSON.stringify(filter) }}
              size="xs"
              variant="subtle"
              aria-label={t.record.viewAllOf(many)}
            >
              {t.record.viewAll}
            </LinkButton>
          )}
          {mayWrite && (
            <LinkButton
              to="/$type/new"
              params={{ type: other.plural }}
              search={{ with: given }}
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
            >
              {t.record.add(one)}
            </LinkButton>
          )}
        </Group>
      }
    >
      {items.length > 0 ? (
        <DataTable label={many} items={items} columns={columns} keyOf={({ _id }) => _id} />
      ) : query.isSuccess ? (
        <Text size="sm" c="dimmed">
          {t.record.related(many)}
        </Text>
      ) : (
        <QueryState query={query} rows={1} />
      )}
    </Section>
  );
}

/** Returns a few columns: name, status, amount or contact details, and creation date. */
function useColumnsOf(type: RecordType): readonly Column<Stored>[] {
  const { tenant } = useSession();
  const amount = Object.keys(type.fields).find((name) => type.fields[name]?.kind === "money");
  return [
    {
      label: t.record.name,
      cell: (item) => (
        <TextLink to={pageOf(type, item._id)} size="sm">
          {item.name}
        </TextLink>
      ),
    },
    {
      label: fieldLabel(type.status_field),
      cell: (item) => <StatusBadge value={String(item[type.status_field])} />,
    },
    ...(type.fields["email"] === undefined
      ? []
      : [
          {
            label: fieldLabel("email"),
            cell: ({ email }: Stored) =>
              typeof email === "string" ? <MailLink address={email} /> : t.common.none,
          },
        ]),
    ...(amount === undefined
      ? []
      : [
          {
            label: fieldLabel(amount),
            isNumber: true as const,
            cell: (item: Stored) =>
              typeof item[amount] === "number"
                ? money(item[amount], tenant.currency)
                : t.common.none,
          },
        ]),
    { label: t.record.createdAt, cell: (item) => <Time at={Number(item["created_ts"])} /> },
  ];
}
