/** What belongs to a record: every list of the API that can be narrowed to what refers to it. */

import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useList, useMay, useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money } from "../../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../../ui/lists/index.ts";
import {
  fieldLabel,
  listPath,
  pageOf,
  recordTypes,
  typeLabel,
  type RecordType,
  type Stored,
} from "../record/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { LinkButton, TextLink } from "../../ui/states/index.ts";

export interface RelatedProps {
  readonly type: RecordType;
  readonly record: Stored;
}

interface Relation {
  readonly other: RecordType;
  /** The field of the other type that refers to this one. */
  readonly by: string;
}

const relationsOf = (type: RecordType): readonly Relation[] =>
  recordTypes.flatMap((other) =>
    Object.entries(other.fields)
      .filter(([, field]) => field.kind === "reference" && field.to === type.name)
      .filter(([by]) => other.lists["all"]?.filter.includes(by))
      .map(([by]) => ({ other, by })),
  );

export const Related = ({ type, record }: RelatedProps) =>
  relationsOf(type).map((relation) => (
    <RelatedList key={`${relation.other.name} ${relation.by}`} {...relation} record={record} />
  ));

const PAGE_SIZE = 5;

function RelatedList({ other, by, record }: Relation & { readonly record: Stored }) {
  const { tenant } = useSession();
  const mayWrite = useMay("records:write");
  const { one, many } = typeLabel(other);
  const list = useList<Stored>(listPath(other), {
    query: { match_filter_dict: { [by]: record._id }, page_size: PAGE_SIZE },
  });
  const amount = Object.keys(other.fields).find((name) => other.fields[name]?.kind === "money");
  const columns: readonly Column<Stored>[] = [
    {
      label: t.record.name,
      cell: (item) => (
        <TextLink to={pageOf(other, item._id)} size="sm">
          {item.name}
        </TextLink>
      ),
    },
    {
      label: fieldLabel(other.statusField),
      cell: (item) => <StatusBadge value={String(item[other.statusField])} />,
    },
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
  // A deal of a contact is one of its account, too.
  const account = other.fields["account_id"] !== undefined ? record["account_id"] : undefined;
  const given = {
    ...(typeof account === "string" && { account_id: account }),
    [by]: record._id,
  };
  return (
    <Section
      title={many}
      actions={
        mayWrite && (
          <LinkButton
            to="/$type/new"
            params={{ type: other.table }}
            search={{ with: given }}
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
          >
            {t.record.add(one)}
          </LinkButton>
        )
      }
    >
      <ListTable
        label={many}
        list={list}
        columns={columns}
        keyOf={({ _id }) => _id}
        empty={
          <Text size="sm" c="dimmed">
            {t.record.related(many)}
          </Text>
        }
      />
    </Section>
  );
}
