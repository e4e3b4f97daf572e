/** An error message with a retry button. */

import { Alert, Button, Stack, Text, type AlertProps } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { sentenceOf } from "../../api/index.ts";
import { t } from "../../text/index.ts";

export interface FailureProps {
  /** The error. If there is none, nothing is shown. */
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  if (error === null || error === undefined) return null;
  return (
    <Fault my="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{sentenceOf(error)}</Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t.common.tryAgain}
          </Button>
        )}
      </Stack>
    </Fault>
  );
}

/** An alert for an error. */
export const Fault = (props: AlertProps) => (
  <Alert
    role="alert"
    color="red"
    variant="outline"
    icon={<IconAlertTriangle aria-hidden />}
    title={t.errors.title}
    {...props}
  />
);
