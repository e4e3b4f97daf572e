/** A button that copies a string and then shows that it was copied. */

import { Alert, Button, Code, CopyButton, Group, Stack } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { t } from "../../text/index.ts";

export interface CopyProps {
  readonly text: string;
  readonly label?: string;
}

export const Copy = ({ text, label = t.common.copy }: CopyProps) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button
        size="xs"
        variant="default"
        style={{ flexShrink: 0 }}
        onClick={copy}
        leftSection={
          copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
        }
      >
        <span aria-live="polite">{copied ? t.common.copied : label}</span>
      </Button>
    )}
  </CopyButton>
);

/** A string with a copy button. */
export const CopyBox = ({ text }: Pick<CopyProps, "text">) => (
  <Group gap="xs" wrap="nowrap">
    <Code
      block
      flex={1}
      fz="sm"
      miw={0}
      style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
    >
      {text}
    </Code>
    <Copy text={text} />
  </Group>
);

export interface SecretProps {
  /** The name of the secret, such as "Access code". */
  readonly title: string;
  readonly secret: string;
}

/** A secret that the service shows only once. */
export const SecretOnce = ({ title, secret }: SecretProps) => (
  <Alert color="yellow" title={title} role="status">
    <Stack gap="xs">
      <CopyBox text={secret} />
      {t.common.shownOnce}
    </Stack>
  </Alert>
);
