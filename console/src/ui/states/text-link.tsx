/** A link within text. The types of `to`, `params` and `search` are checked against the routes. */

import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ReactNode, Ref } from "react";

interface TextLinkProps extends Omit<AnchorProps, "href"> {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly children?: ReactNode;
  readonly draggable?: boolean;
  readonly title?: string;
}

export const TextLink = createLink((props: TextLinkProps) => <Anchor {...props} />);
