/** A table's empty state, with next actions. */

import { Button, Group } from "@mantine/core";
import { IconFilterOff } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { Empty, LinkButton } from "../../ui/states/index.ts";
import { typeLabel } from "../../record/index.ts";
import { isNarrowed, type TableProps } from "../list/index.ts";

export const NOTHING = { q: undefined, filter: undefined, from: undefined, to: undefined };

export function NothingFound({ type, search, onChange, canWrite }: TableProps) {
  const label = typeLabel(type);
  if (isNarrowed(search)) {
    return (
      <Empty
        icon={IconFilterOff}
        title={t.table.noneFound}
        hint={t.table.noneFoundHint}
        action={
          <Button variant="light" onClick={() => onChange(NOTHING)}>
            {t.table.clearAll}
          </Button>
        }
      />
    );
  }
  return (
    <Empty
      title={t.table.emptyTitle(label.many)}
      hint={canWrite && t.table.emptyHint}
      action={
        canWrite && (
          <Group gap="xs" justify="center">
            <LinkButton to="/imports" variant="default">
              {t.table.import}
            </LinkButton>
            <LinkButton to="/$type/new" params={{ type: type.plural }}>
              {t.table.create(label.one)}
            </LinkButton>
          </Group>
        )
      }
    />
  );
}
