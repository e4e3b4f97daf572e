/** What stands in the place of content: nothing yet, nothing found, not allowed. */

import { Button, Center, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconInbox, IconLock, IconMapQuestion, type Icon } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { t } from "../text/index.ts";

export interface EmptyProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** What to do about it. */
  readonly action?: ReactNode;
  readonly icon?: Icon;
  /** Whether it is all of a page, and its title the page's. */
  readonly isPage?: true;
}

/** There is nothing to show, and that is no fault. */
export function Empty({ title, hint, action, icon: Pictured = IconInbox, isPage }: EmptyProps) {
  return (
    <Center mih={240} p="lg">
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          <Pictured size={26} />
        </ThemeIcon>
        <Title order={isPage ? 1 : 2} ta="center">
          {title}
        </Title>
        {hint !== undefined && (
          <Text c="dimmed" ta="center" size="sm">
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

const toStart = (
  <Button component={Link} to="/" variant="light" mt="sm">
    {t.shell.home}
  </Button>
);

/** Below no shell: it is the whole document. */
export const NotFound = () => (
  <main>
    <Empty
      isPage
      icon={IconMapQuestion}
      title={t.errors.notFoundTitle}
      hint={t.errors.notFound}
      action={toStart}
    />
  </main>
);

export const Forbidden = () => (
  <Empty
    isPage
    icon={IconLock}
    title={t.errors.forbiddenTitle}
    hint={t.errors.forbidden}
    action={toStart}
  />
);
