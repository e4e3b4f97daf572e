/** Whom a lead resembles, side by side with it: what is the same and what differs, in words and signs. */

import { Group, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconEqual, IconEqualNot } from "@tabler/icons-react";
import { pageOf, RECORD_TYPES } from "../../records/record/index.ts";
import { t } from "../../text/index.ts";
import { orNone } from "../../ui/format/index.ts";
import { StatusBadge, Time } from "../../ui/lists/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { areSame, COMPARED, type Compared } from "./compare.ts";
import type { Alike, PushedLead } from "../pushed-leads/index.ts";
import classes from "../pushed-leads/review.module.css";

export interface DuplicatesProps {
  readonly lead: PushedLead;
  readonly alike: readonly Alike[];
}

const COLUMN_PX = 170;

export function Duplicates({ lead, alike }: DuplicatesProps) {
  return (
    <section aria-labelledby="alike">
      <Title order={3} id="alike" size="h4">
        {t.review.alikeTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {alike.length === 0 ? t.review.alikeGone : t.review.alikeHint(alike.length)}
      </Text>
      {alike.length > 0 && <Comparison lead={lead} alike={alike} />}
    </section>
  );
}

function Comparison({ lead, alike }: DuplicatesProps) {
  return (
    <Table.ScrollContainer
      minWidth={(alike.length + 1) * COLUMN_PX + 80}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table withTableBorder withColumnBorders verticalSpacing={6} aria-labelledby="alike">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <VisuallyHidden>{t.review.field}</VisuallyHidden>
            </Table.Th>
            <Table.Th>{t.review.pushedHere}</Table.Th>
            {alike.map((one) => (
              <Table.Th key={one.id}>
                <Group gap="xs" justify="space-between" wrap="nowrap">
                  {t.review.alikeKinds[one.record]}
                  <OpenAlike one={one} />
                </Group>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {COMPARED.map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{t.review[field]}</Table.Th>
              <Table.Td className={classes["cell"]}>{orNone(lead[field])}</Table.Td>
              {alike.map((one) => (
                <Table.Td key={one.id} className={classes["cell"]}>
                  <Difference field={field} pushed={lead[field]} found={one[field]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">{t.review.status}</Table.Th>
            <Table.Td>
              <StatusBadge value={lead.status} label={t.review.statuses[lead.status]} />
            </Table.Td>
            {alike.map(({ id, status }) => (
              <Table.Td key={id}>
                {status === null ? t.common.none : <StatusBadge value={status} />}
              </Table.Td>
            ))}
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">{t.review.created}</Table.Th>
            <Table.Td>
              <Time at={lead.submitted_ts} />
            </Table.Td>
            {alike.map(({ id, created_ts }) => (
              <Table.Td key={id}>
                <Time at={created_ts} />
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function OpenAlike({ one }: { readonly one: Alike }) {
  const label = `${t.review.open}: ${one.name ?? one.id}`;
  return one.record === "pushed_lead" ? (
    <TextLink
      to="/review/$id"
      params={{ id: one.id }}
      search={{ status: "all" }}
      size="sm"
      aria-label={label}
    >
      {t.review.open}
    </TextLink>
  ) : (
    <TextLink to={pageOf(RECORD_TYPES[one.record], one.id)} size="sm" aria-label={label}>
      {t.review.open}
    </TextLink>
  );
}

interface DifferenceProps {
  readonly field: Compared;
  readonly pushed: string | null;
  readonly found: string | null;
}

function Difference({ field, pushed, found }: DifferenceProps) {
  const isSame = areSame(field, pushed, found);
  if (isSame === undefined) return orNone(found);
  const Pictured = isSame ? IconEqual : IconEqualNot;
  return (
    <>
      <div>{found}</div>
      <Text size="xs" {...(isSame ? { c: "dimmed" } : { className: classes["differs"] })}>
        <Pictured size={13} aria-hidden className={classes["inlineIcon"]} />{" "}
        {isSame ? t.review.same : t.review.differs}
      </Text>
    </>
  );
}
