/** The first step of the import wizard: choose the record type and the file. */

import { Card, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { recordTypes, typeByPlural, typeLabel, type RecordType } from "../record/index.ts";
import { t } from "../text/index.ts";
import { FileDrop } from "./import/index.ts";

export interface ChooseFileProps {
  readonly type: RecordType;
  readonly onType: (type: RecordType) => void;
  readonly onFile: (file: File) => void;
}

export const ChooseFile = ({ type, onType, onFile }: ChooseFileProps) => (
  <Card withBorder padding="lg" maw={720}>
    <Stack gap="lg">
      <Title order={2} tabIndex={-1} data-step>
        {t.files.choose}
      </Title>
      <NativeSelect
        label={t.files.type}
        description={t.files.typeHint}
        maw={320}
        value={type.plural}
        onChange={({ currentTarget }) => onType(typeByPlural(currentTarget.value) ?? type)}
        data={recordTypes().map((known) => ({ value: known.plural, label: typeLabel(known).many }))}
      />
      <Text size="sm" c="dimmed">
        {t.files.order}
      </Text>
      <FileDrop onFile={onFile} />
    </Stack>
  </Card>
);
