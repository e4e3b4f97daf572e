/** A social security number, which is masked. */

import { TextInput } from "@mantine/core";
import type { Kind } from "../kind/index.ts";
import { SocialSecurityNumber } from "../shown/index.ts";
import { textProps } from "./text-props.ts";
import { text } from "./text.tsx";

export const ssn: Kind = {
  ...text,
  Detail: ({ type, record }) => <SocialSecurityNumber type={type} record={record} />,
  Input: (props) => <TextInput {...textProps(props)} placeholder="000-00-0000" />,
};
