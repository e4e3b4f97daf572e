/** An area to drop or choose a CSV file. */

import "@mantine/core/styles/LoadingOverlay.layer.css";
import "@mantine/dropzone/styles.layer.css";
import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFileUpload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { portalFileTexts } from "../../text/portal.ts";
import { number } from "../../ui/format/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { useSending } from "../../api/index.ts";
import { readCsv, type CsvTable } from "./csv.ts";
import { downloadCsv } from "./download.ts";

const MOST_bytes = 10 * 1024 * 1024;
const MOST_rows = 10_000;
const texts = portalFileTexts;

const EXAMPLE = [
  ["Name", "Email", "Phone", "Source", "Description", "Budget"],
  ["Ines Falk", "ines.falk@example.com", "(212) 555-0143", "Referral", "Two berths", "12000"],
];

export interface ReadFile {
  readonly name: string;
  readonly table: CsvTable;
}

export function DropFile({ onRead }: { readonly onRead: (file: ReadFile) => void }) {
  const open = useRef<() => void>(null);
  const [isRefused, setRefused] = useState(false);
  const reading = useSending(async (file: File): Promise<ReadFile> => {
    const bytes = await file.arrayBuffer();
    const table = await readCsv(bytes).catch((error: unknown) => {
      throw new Error(texts.unreadable(error instanceof Error ? error.message : String(error)));
    });
    const count = table.rows.length;
    if (count === 0) throw new Error(texts.empty);
    if (count > MOST_rows) throw new Error(texts.tooMany(number(count), number(MOST_rows)));
    return { name: file.name, table };
  }, onRead);
  return (
    <Stack gap="sm" maw={720}>
      <Dropzone
        onDrop={([file]) => {
          setRefused(false);
          if (file !== undefined) reading.send(file);
        }}
        onReject={() => {
          reading.reset();
          setRefused(true);
        }}
        accept={{
          "text/csv": [".csv"],
          "text/plain": [".csv", ".txt", ".tsv"],
          "application/vnd.ms-excel": [".csv"],
        }}
        maxSize={MOST_bytes}
        multiple={false}
        loading={reading.isSending}
        openRef={open}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        inputProps={{ "aria-label": texts.drop }}
        p="xl"
      >
        <Group justify="center" gap="md" mih={140}>
          <IconFileUpload size={40} stroke={1.4} aria-hidden />
          <div>
            <Text fw={600}>{texts.drop}</Text>
            <Text size="sm" c="dimmed">
              {texts.dropHint(number(MOST_rows))}
            </Text>
          </div>
          <Button onClick={() => open.current?.()}>{texts.choose}</Button>
        </Group>
      </Dropzone>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="left"
        onClick={() => void downloadCsv("example.csv", EXAMPLE)}
      >
        {texts.example}
      </Anchor>
      {isRefused && <Failure error={new Error(texts.notCsv)} />}
      <Failure error={reading.error} />
    </Stack>
  );
}
