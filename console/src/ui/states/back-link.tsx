/** A link above a detail page's title that leads back to the list. */

import { Anchor } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { createLink } from "@tanstack/react-router";
import type { ReactNode, Ref } from "react";

interface BackLinkProps {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly children?: ReactNode;
}

export const BackLink = createLink(({ children, ...link }: BackLinkProps) => (
  <Anchor {...link} size="sm" display="inline-block" mb="xs" py={2}>
    <IconArrowLeft size={14} aria-hidden style={{ verticalAlign: -2 }} /> {children}
  </Anchor>
));
