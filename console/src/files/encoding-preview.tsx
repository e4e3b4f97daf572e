/** Shows some lines of the file in the selected encoding before the file is checked again. */

import { Code, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "../text/index.ts";
import { linesIn } from "./import/index.ts";

export interface EncodingPreviewProps {
  readonly file: File;
  readonly encoding: string;
}

export function EncodingPreview({ file, encoding }: EncodingPreviewProps) {
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    let isLatest = true;
    const show = (read: readonly string[]) => {
      if (isLatest) setLines(read);
    };
    // If the file cannot be read, the check reports it.
    linesIn(file, encoding).then(show, () => show([]));
    return () => {
      isLatest = false;
    };
  }, [file, encoding]);
  return (
    <Stack gap={4} aria-live="polite">
      <Text size="sm" fw={500}>
        {t.files.encodingPreview(encoding)}
      </Text>
      <Code block role="region" tabIndex={0} aria-label={t.files.encodingPreview(encoding)}>
        {lines.join("\n")}
      </Code>
    </Stack>
  );
}
