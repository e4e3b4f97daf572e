/** A piece of text as it is, in the letters of a machine: what was sent, what came back. */

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
