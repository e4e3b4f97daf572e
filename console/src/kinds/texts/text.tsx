/** A line of text. */

import { TextInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import { memberText } from "../../ui/format/index.ts";
import { NestedValue } from "../../ui/lists/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText } from "../shown/index.ts";
import { textProps } from "./text-props.ts";

export const text: Kind = {
  Cell: ({ value }) => <PlainText text={memberText(value)} />,
  Value: ({ value }) => (typeof value === "object" ? <NestedValue value={value} /> : String(value)),
  Input: (props) => {
    const { name, inputs, common, set, value } = props;
    const suggestions = t.record.suggestions[name];
    return suggestions === undefined ? (
      <TextInput {...textProps(props)} />
    ) : (
      <inputs.SuggestInput
        {...common}
        data={[...suggestions]}
        value={String(value ?? "")}
        onChange={(next) => set(next === "" ? null : next)}
      />
    );
  },
  filtering: TEXT,
};
