/** An area to drop or choose a file. Spreadsheet files are rejected with an explanation. */

import { Alert, Button, Stack, Text, ThemeIcon } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import "@mantine/core/styles/LoadingOverlay.layer.css";
import "@mantine/dropzone/styles.layer.css";
import { IconFileSpreadsheet, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../text/index.ts";

export interface FileDropProps {
  readonly onFile: (file: File) => void;
  readonly isBusy?: boolean;
}

/** Why a file was rejected before uploading. */
interface Refusal {
  readonly title: string;
  readonly text: string;
}

const WORKBOOK = /\.(xlsx|xlsm|xlsb|xls|ods|numbers)$/i;
/** The first bytes of ZIP archives (such as .xlsx workbooks) and of compound files (such as .xls workbooks). */
const BEGINNINGS = ["504b0304", "d0cf11e0"];

async function refusalOf(file: File): Promise<Refusal | undefined> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const beginning = Array.from(head, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (WORKBOOK.test(file.name) || BEGINNINGS.includes(beginning)) {
    return { title: t.files.workbookTitle, text: t.files.workbook(file.name) };
  }
  if (file.size === 0) return { title: t.files.emptyTitle, text: t.files.empty(file.name) };
  return undefined;
}

export function FileDrop({ onFile, isBusy = false }: FileDropProps) {
  const [refusal, setRefusal] = useState<Refusal>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const refused = await refusalOf(file);
    setRefusal(refused);
    if (refused === undefined) onFile(file);
  };
  return (
    <Stack gap="md">
      <Dropzone
        multiple={false}
        loading={isBusy}
        onDrop={([file]) => void take(file)}
        inputProps={{ "aria-label": t.files.dropLabel }}
        activateOnKeyboard={false}
        px="md"
        py="xl"
      >
        <Stack align="center" gap="xs" mih={120} justify="center">
          <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
            <IconUpload size={26} />
          </ThemeIcon>
          <Text fw={600} ta="center">
            {t.files.drop}
          </Text>
          <Text size="sm" c="dimmed" ta="center" maw={420}>
            {t.files.dropHint}
          </Text>
          {/* The drop zone handles the click. */}
          <Button variant="light" size="sm" mt="xs">
            {t.files.dropLabel}
          </Button>
        </Stack>
      </Dropzone>
      {refusal !== undefined && (
        <Alert
          role="alert"
          color="yellow"
          icon={<IconFileSpreadsheet aria-hidden />}
          title={refusal.title}
        >
          {refusal.text}
        </Alert>
      )}
    </Stack>
  );
}
