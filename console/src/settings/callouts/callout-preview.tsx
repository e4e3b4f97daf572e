/** A preview of the request, updated as the user types. */

import { Stack, Text } from "@mantine/core";
import { t } from "../../text/index.ts";
import { Excerpt } from "../../ui/lists/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { Section } from "../../ui/frame/index.ts";
import type { Preview } from "./use-preview.ts";

const text = t.integrations.callout;

export interface CalloutPreviewProps {
  readonly preview: Preview;
  /** The method and URL: `POST https://…`. */
  readonly target: string;
}

export function CalloutPreview({ preview: { rendered, error }, target }: CalloutPreviewProps) {
  return (
    <Section title={text.preview} hint={text.previewHint}>
      <Stack gap="xs" mih={160} aria-live="polite">
        {rendered !== undefined ? (
          <Excerpt
            content={[target, ...headerLines(rendered.headers), "", rendered.body].join("\n")}
          />
        ) : error === null ? (
          <Text size="sm" c="dimmed">
            {text.previewWaits}
          </Text>
        ) : (
          <Failure error={error} />
        )}
      </Stack>
    </Section>
  );
}

const headerLines = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
