/** The tenant's access tokens. */

import { ActionIcon, Badge, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconKey, IconPencil, IconPlus } from "@tabler/icons-react";
import type { AccessToken } from "@leadport/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Permission, useList } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { ConfirmButton } from "../../ui/forms/index.ts";
import { number } from "../../ui/format/index.ts";
import { type Column, ListTable, Time } from "../../ui/lists/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import { EditToken } from "./edit-token.tsx";
import { NewToken } from "./new-token.tsx";

const TOKENS = "/crm/admin/access_tokens";
const text = t.integrations.tokens;

export function TokensPanel() {
  const queries = useQueryClient();
  const list = useList<AccessToken>(TOKENS);
  const [isOpen, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<AccessToken>();
  const refresh = async () => queries.invalidateQueries({ queryKey: ["list", TOKENS] });
  const create = (
    <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
      {text.create}
    </Button>
  );
  const acts: Column<AccessToken> = {
    label: text.actions,
    cell: (token) => (
      <Group gap="xs" wrap="nowrap">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={text.editOne(token.name)}
          onClick={() => setEdited(token)}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
        <ConfirmButton
          size="xs"
          title={text.revokeTitle}
          text={text.revokeText(token.name)}
          confirm={text.revoke}
          work={async () =>
            api.delete("/crm/admin/access_tokens/{token_id}", { path: { token_id: token.id } })
          }
          onDone={async () => {
            notifications.show({ message: text.revoked });
            await refresh();
          }}
        >
          {text.revoke}
        </ConfirmButton>
      </Group>
    ),
  };
  return (
    <Section title={text.title} hint={text.hint} actions={create}>
      <ListTable
        label={text.title}
        list={list}
        columns={[...COLUMNS, acts]}
        keyOf={({ id }) => id}
        empty={<Empty icon={IconKey} title={text.emptyTitle} hint={text.empty} />}
      />
      <NewToken isOpen={isOpen} onClose={close} onMade={refresh} />
      <EditToken token={edited} onClose={() => setEdited(undefined)} onSaved={refresh} />
    </Section>
  );
}

const COLUMNS: readonly Column<AccessToken>[] = [
  {
    label: text.name,
    cell: ({ name }) => (
      <Text size="sm" fw={500}>
        {name}
      </Text>
    ),
  },
  { label: text.owner, cell: ({ user_name }) => user_name ?? t.common.none },
  {
    label: text.rights,
    cell: ({ permissions }) => (
      <Group gap={4}>
        {permissions.map((permission) => (
          <Badge key={permission} variant="default" tt="none" fw={500}>
            {t.integrations.rights[permission as Permission]}
          </Badge>
        ))}
      </Group>
    ),
  },
  {
    label: text.lastUsed,
    cell: ({ last_used_ts: at }) =>
      at === null || at === undefined ? text.never : <Time at={at} />,
  },
  {
    label: text.expires,
    cell: ({ expires_ts: at }) => (at === null ? text.never : <Time at={at} />),
  },
  {
    label: text.addresses,
    cell: ({ ip_allow_list: ranges }) =>
      ranges.length === 0 ? text.anyAddress : ranges.join(", "),
  },
  {
    label: text.rateLimit,
    cell: ({ rate_limit: limit }) =>
      limit === null || limit === undefined
        ? text.fallback
        : limit === 0
          ? text.unlimited
          : number(limit),
    isNumber: true,
  },
];
