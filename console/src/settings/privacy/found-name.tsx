/** The name of a record in a report, linked to the record's page. */

import { Box, Text } from "@mantine/core";
import { PushedLeadLink, RecordLink } from "../../records/names/index.ts";
import { RECORD_TYPES, typeLabel, type RecordName } from "../../records/record/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";

interface Found {
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
  readonly version?: number | string | null;
}

const isRecord = (type: string): type is RecordName => Object.hasOwn(RECORD_TYPES, type);

export const typeText = (type: string): string =>
  isRecord(type) ? typeLabel(RECORD_TYPES[type]).one : (text.types[type] ?? type);

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
  if (isRecord(type) && version !== null) {
    return <RecordLink to={RECORD_TYPES[type]} id={id} name={name ?? undefined} />;
  }
  if (type === "pushed_lead") return <PushedLeadLink id={id} />;
  return (
    <Text span inherit title={id}>
      {foundLabel(found)}
    </Text>
  );
}
