/** A form that checks by email or phone whether a person is known, and shows the result below. */

import { Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { api, useSending } from "../../api/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { Failure } from "../../ui/states/index.ts";
import { asPartner, usePartner } from "../partner/index.ts";
import { LookUpResult, type Found } from "./look-up-result.tsx";

export function LookUpForm() {
  const { partner_id } = usePartner();
  const [found, setFound] = useState<Found>();
  const form = useForm({
    initialValues: { email: "", phone: "" },
    validate: {
      email: (email, { phone }) =>
        email.trim() === "" && phone.trim() === "" ? portalTexts.lookUp.needsOne : null,
    },
  });
  const lookUp = useSending(async ({ email, phone }: typeof form.values) => {
    const asked = { email: email.trim() || null, phone: phone.trim() || null };
    return {
      asked,
      answer: await api.post("/crm/partner/lookup", { body: asked, ...asPartner(partner_id) }),
    };
  }, setFound);
  return (
    <>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          setFound(undefined);
          lookUp.send(values);
        })}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            label={portalTexts.fields.email}
            type="email"
            autoComplete="off"
            maxLength={254}
            flex="1 1 220px"
            {...form.getInputProps("email")}
            error={form.errors["email"] ?? lookUp.issues["email"]}
          />
          <TextInput
            label={portalTexts.fields.phone}
            type="tel"
            autoComplete="off"
            maxLength={50}
            flex="1 1 180px"
            {...form.getInputProps("phone")}
            error={lookUp.issues["phone"]}
          />
          <Button type="submit" mt={25} loading={lookUp.isSending}>
            {portalTexts.lookUp.submit}
          </Button>
        </Group>
      </form>
      <div aria-live="polite">
        {found !== undefined && (
          <LookUpResult
            found={found}
            onAgain={() => {
              form.reset();
              setFound(undefined);
            }}
          />
        )}
      </div>
      <Failure error={lookUp.unplaced} />
    </>
  );
}
