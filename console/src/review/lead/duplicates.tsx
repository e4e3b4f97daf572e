/**
 * Compares a lead with its possible duplicates. Text and icons show which values are equal and
 * which differ.
 */

import { Group, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconEqual, IconEqualNot } from "@tabler/icons-react";
import { pageOf, typeNamed } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { orNone } from "../../ui/format/index.ts";
import { StatusBadge, Time } from "../../ui/lists/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { areSame, COMPARED, type Compared } from "./compare.ts";
import type { PossibleDuplicate, PushedLead } from "../pushed-leads/index.ts";
import classes from "../pushed-leads/review.module.css";

export interface DuplicatesProps {
  readonly lead: PushedLead;
  readonly duplicates: readonly PossibleDuplicate[];
}

const COLUMN_PX = 170;

export function Duplicates({ lead, duplicates }: DuplicatesProps) {
  return (
    <section aria-labelledby="duplicates">
      <Title order={3} id="duplicates" size="h4">
        {t.review.duplicatesTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {duplicates.length === 0
          ? t.review.noDuplicates
          : t.review.duplicatesHint(duplicates.length)}
      </Text>
      {duplicates.length > 0 && <Comparison lead={lead} duplicates={duplicates} />}
    </section>
  );
}

function Comparison({ lead, duplicates }: DuplicatesProps) {
  return (
    <Table.ScrollContainer minWidth={(duplicates.length + 1) * COLUMN_PX + 80}>
      <Table withTableBorder withColumnBorders verticalSpacing={6} aria-labelledby="duplicates">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <VisuallyHidden>{t.review.field}</VisuallyHidden>
            </Table.Th>
            <Table.Th>{t.review.thisLead}</Table.Th>
            {duplicates.map((one) => (
              <Table.Th key={one.id}>
                <Group gap="xs" justify="space-between" wrap="nowrap">
                  {t.review.duplicateKinds[one.record]}
                  <OpenDuplicate one={one} />
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
              {duplicates.map((one) => (
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
            {duplicates.map(({ id, status }) => (
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
            {duplicates.map(({ id, created_ts }) => (
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

function OpenDuplicate({ one }: { readonly one: PossibleDuplicate }) {
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
    <TextLink to={pageOf(typeNamed(one.record), one.id)} size="sm" aria-label={label}>
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
