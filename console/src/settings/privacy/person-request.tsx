/** Searches for a person, shows the report, and erases the selected records. */

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { PersonErasure, PersonReport } from "@leadport/client";
import { useState } from "react";
import { api, useSending } from "../../api/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";
import { Section } from "../../ui/frame/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { ErasureResult } from "./erasure-result.tsx";
import { ReportView } from "./report-view.tsx";

const orNull = (value: string): string | null => (value.trim() === "" ? null : value.trim());

export function PersonRequest() {
  const form = useForm({ initialValues: { email: "", phone: "" } });
  const [report, setReport] = useState<PersonReport>();
  const [searched, setSearched] = useState("");
  const [erasure, setErasure] = useState<PersonErasure>();
  const sending = useSending(
    async ({ email, phone }: typeof form.values) =>
      api.post("/crm/admin/persons/report", {
        body: { email: orNull(email), phone: orNull(phone) },
      }),
    (found, { email, phone }) => {
      setErasure(undefined);
      setReport(found);
      setSearched(
        [email, phone]
          .map((given) => given.trim())
          .filter(Boolean)
          .join(", "),
      );
    },
  );
  const startAgain = () => {
    form.reset();
    setReport(undefined);
    setErasure(undefined);
  };
  const { issues } = sending;
  const { email, phone } = form.values;
  return (
    <Section title={text.person} hint={text.personHint}>
      <form onSubmit={form.onSubmit(sending.send)}>
        <Group align="flex-start" gap="sm">
          <TextInput
            label={text.email}
            type="text"
            inputMode="email"
            autoComplete="off"
            w={{ base: "100%", sm: 280 }}
            {...form.getInputProps("email")}
            error={issues["email"]}
          />
          <TextInput
            label={text.phone}
            inputMode="tel"
            autoComplete="off"
            w={{ base: "100%", sm: 240 }}
            {...form.getInputProps("phone")}
            error={issues["phone"]}
          />
          <Button
            type="submit"
            mt={{ base: 0, sm: 24 }}
            loading={sending.isSending}
            disabled={orNull(email) === null && orNull(phone) === null}
          >
            {text.search}
          </Button>
        </Group>
        <Text size="sm" c="dimmed" mt={6}>
          {text.phoneHint}
        </Text>
      </form>
      <Failure error={sending.unplaced} />
      <div aria-live="polite">
        {erasure !== undefined ? (
          <ErasureResult erasure={erasure} onAgain={startAgain} />
        ) : report === undefined ? null : report.records.length === 0 &&
          report.mentions.length === 0 ? (
          <Text>{text.nothing}</Text>
        ) : (
          <Stack gap="md">
            <ReportView
              key={report.report_id}
              report={report}
              searched={searched}
              onErased={setErasure}
            />
          </Stack>
        )}
      </div>
    </Section>
  );
}
