/** The user that a token belongs to: an existing user, or the name of a new user. */

import type { AutocompleteProps } from "@mantine/core";
import { useUserNames } from "../../names/index.ts";
import { t } from "../../text/index.ts";
import { SuggestInput } from "../../ui/forms/index.ts";

const text = t.integrations.tokens;

export function OwnerInput({ value = "", ...input }: AutocompleteProps) {
  const names = [...new Set(useUserNames().map(({ name }) => name))];
  const name = value.trim();
  const isNew = name !== "" && !names.includes(name);
  return (
    <SuggestInput
      label={text.owner}
      description={isNew ? text.ownerNew(name) : text.ownerHint}
      descriptionProps={{ "aria-live": "polite" }}
      inputWrapperOrder={["label", "input", "description", "error"]}
      maxLength={200}
      data={names}
      value={value}
      {...input}
    />
  );
}
