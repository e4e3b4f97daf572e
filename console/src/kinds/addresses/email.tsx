/** An email address. */

import { TextInput } from "@mantine/core";
import { mailHref } from "../../ui/format/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { CellLink, MailLink } from "../shown/index.ts";
import { textProps } from "../texts/index.ts";

export const email: Kind = {
  width: 165,
  Cell: ({ value, tab }) => (
    <CellLink href={mailHref(String(value))} text={String(value)} tab={tab} />
  ),
  Value: ({ value }) => <MailLink address={String(value)} />,
  Input: (props) => <TextInput {...textProps(props)} type="email" inputMode="email" />,
  filtering: TEXT,
};
