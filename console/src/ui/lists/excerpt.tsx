/** Verbatim text in a monospaced font, such as a request or response. */

import { Code, Text } from "@mantine/core";
import classes from "./excerpt.module.css";

export interface ExcerptProps {
  readonly label?: string;
  readonly content: string;
}

export const Excerpt = ({ label, content }: ExcerptProps) => (
  <div>
    {label !== undefined && (
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
    )}
    <Code block tabIndex={0} className={classes.excerpt}>
      {content}
    </Code>
  </div>
);
