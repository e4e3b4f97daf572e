/** The name of a record in a report, linked to the record's page. */

import { Box, Text } from "@mantine/core";
import { PushedLeadLink, RecordLink } from "../../names/index.ts";
import { findType, typeLabel } from "../../record/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";

interface Found {
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
  readonly version?: number | string | null;
}

export function typeText(type: string): string {
  const known = findType(type);
  return known === undefined ? (text.types[type] ?? type) : typeLabel(known).one;
}

export const foundLabel = ({ type, id, name }: Found): string => {
  if (type === "rejected_row") return text.row(id.split(".")[1] ?? "");
  return name ?? `${typeText(type)} ${id}`;
};

/**
 * The name of a record. A long name without spaces is broken, so that it does not cover the next
 * column.
 */
export const FoundName = (found: Found) => (
  <Box miw={0} style={{ overflowWrap: "anywhere" }}>
    <NameOf {...found} />
  </Box>
);

function NameOf(found: Found) {
  const { type, id, name, version } = found;
  // If there is no version, only the record's history or a copy was found, so there is no page to link to.
  const known = findType(type);
  if (known !== undefined && version !== null) {
    return <RecordLink to={known} id={id} name={name ?? undefined} />;
  }
  if (type === "pushed_lead") return <PushedLeadLink id={id} />;
  return (
    <Text span inherit title={id}>
      {foundLabel(found)}
    </Text>
  );
}
