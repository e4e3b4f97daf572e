/** A web address. */

import { TextInput } from "@mantine/core";
import { memberText } from "../../ui/format/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText, WebLink } from "../shown/index.ts";
import { textProps } from "../texts/index.ts";

export const url: Kind = {
  width: 200,
  Cell: ({ value }) => <PlainText text={memberText(value)} />,
  Value: ({ value }) => <WebLink address={String(value)} />,
  Input: (props) => <TextInput {...textProps(props)} inputMode="url" />,
  filtering: TEXT,
};
