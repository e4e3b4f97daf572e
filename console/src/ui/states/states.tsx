/** States that replace content: empty, not found, no access. */

import { Box, Center, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconInbox, IconLock, IconMapQuestion, type Icon } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { LinkButton } from "./link-button.tsx";

export interface EmptyProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** A button or link to what the user can do next. */
  readonly action?: ReactNode;
  readonly icon?: Icon;
  /** The heading level. Set this to 1 if this is the whole page. */
  readonly order?: 1 | 2;
}

/** A message in place of content, for example for an empty list. Do not use it for errors. */
export function Empty({ title, hint, action, icon: Pictured = IconInbox, order = 2 }: EmptyProps) {
  return (
    <Center mih={240} p="lg">
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          <Pictured size={26} />
        </ThemeIcon>
        <Title order={order} size="h2" ta="center" textWrap="balance">
          {title}
        </Title>
        {hint !== undefined && (
          <Text c="dimmed" ta="center" size="sm" style={{ textWrap: "balance" }}>
            {hint}
          </Text>
        )}
        {Boolean(action) && <Box mt="sm">{action}</Box>}
      </Stack>
    </Center>
  );
}

/** A link to the home page of the console or portal. */
function ToStart() {
  const { pathname } = useLocation();
  const isPortal = /^\/partner(\/|$)/.test(pathname);
  return (
    <LinkButton to={isPortal ? "/partner" : "/"} variant="light">
      {isPortal ? t.common.toOverview : t.shell.home}
    </LinkButton>
  );
}

export const NotFound = () => (
  <Empty
    order={1}
    icon={IconMapQuestion}
    title={t.errors.notFoundTitle}
    hint={t.errors.notFound}
    action={<ToStart />}
  />
);

export const Forbidden = () => (
  <Empty
    order={1}
    icon={IconLock}
    title={t.errors.forbiddenTitle}
    hint={t.errors.forbidden}
    action={<ToStart />}
  />
);
