/** Text with several lines. */

import { Text, Textarea } from "@mantine/core";
import type { Kind } from "../kind/index.ts";
import { textProps } from "./text-props.ts";
import { text } from "./text.tsx";

export const long_text: Kind = {
  ...text,
  width: 240,
  isWide: true,
  isWideInput: true,
  Value: ({ value }) => (
    <Text inherit style={{ whiteSpace: "pre-wrap" }}>
      {String(value)}
    </Text>
  ),
  Brief: ({ value }) => (
    <Text span size="sm" lineClamp={4} title={String(value)} style={{ whiteSpace: "pre-wrap" }}>
      {String(value)}
    </Text>
  ),
  Input: (props) => <Textarea {...textProps(props)} autosize minRows={3} maxRows={12} />,
};
