/**
 * A button that links to a page. The types of `to`, `params` and `search` are checked against the
 * routes.
 */

import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ReactNode, Ref } from "react";

interface LinkButtonProps extends ButtonProps {
  readonly onClick?: () => void;
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly children?: ReactNode;
}

export const LinkButton = createLink((props: LinkButtonProps) => (
  <Button component="a" {...props} />
));
