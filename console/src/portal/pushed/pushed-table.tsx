/** A table of submitted leads. */

import type { PushedLead } from "@leadport/client";
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { List } from "../../api/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { type Column, ListTable, Time } from "../../ui/lists/index.ts";
import { PushedStatus } from "../partner/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { words } from "../../ui/format/index.ts";

const { pushed, fields } = portalTexts;

const COLUMNS: readonly Column<PushedLead>[] = [
  {
    label: pushed.person,
    cell: ({ id, name, email, phone }) => (
      <>
        <TextLink to="/partner/pushed/$id" params={{ id }} fw={500} size="sm">
          {name}
        </TextLink>
        <Text size="xs" c="dimmed">
          {email}
          {email !== null && phone !== null && " · "}
          {phone !== null && (
            <Text span inherit style={{ whiteSpace: "nowrap" }}>
              {phone}
            </Text>
          )}
        </Text>
      </>
    ),
  },
  {
    label: pushed.status,
    cell: ({ status, rejection_reason }) => (
      <>
        <PushedStatus status={status} />
        {rejection_reason !== null && (
          <Text size="xs" c="dimmed" mt={4} maw="34ch" lineClamp={2}>
            {pushed.reason(rejection_reason)}
          </Text>
        )}
      </>
    ),
  },
  { label: fields.source, cell: ({ source }) => words(source) },
  { label: pushed.when, cell: ({ submitted_ts }) => <Time at={submitted_ts} /> },
  { label: pushed.expires, cell: ({ expiration_date }) => <Time at={expiration_date} /> },
];

export interface PushedTableProps {
  readonly list: List<PushedLead>;
  readonly empty: ReactNode;
}

export const PushedTable = ({ list, empty }: PushedTableProps) => (
  <ListTable
    label={pushed.table}
    list={list}
    columns={COLUMNS}
    keyOf={({ id }) => id}
    empty={empty}
  />
);
