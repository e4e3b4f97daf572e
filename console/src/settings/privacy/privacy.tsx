/** Handles requests from people about their data, and sets how long data is retained. */

import { Stack } from "@mantine/core";
import { privacyTexts as text } from "../../text/privacy.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { PersonRequest } from "./person-request.tsx";
import { Retention } from "./retention.tsx";

export default function PrivacyPage() {
  return (
    <>
      <PageHeader title={text.title} hint={text.hint} />
      <Stack gap="md">
        <PersonRequest />
        <Retention />
      </Stack>
    </>
  );
}
