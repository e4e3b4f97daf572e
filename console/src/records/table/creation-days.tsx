/** A filter for a range of creation dates, in the user's time zone. */

import { Button, Group, Popover } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { DayRange } from "../../ui/forms/index.ts";
import { date } from "../../ui/format/index.ts";
import { startOfDay } from "../../ui/days/index.ts";
import type { TableState } from "../list/index.ts";

export interface CreationDaysProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (part: TableState) => void;
}

const shown = (day: string | undefined): string =>
  day === undefined ? "…" : date(startOfDay(day));

export function CreationDays({ from, to, onChange }: CreationDaysProps) {
  const isSet = from !== undefined || to !== undefined;
  return (
    <Popover trapFocus returnFocus shadow="md" position="bottom-start">
      <Popover.Target>
        <Button
          variant={isSet ? "light" : "default"}
          leftSection={<IconCalendar size={16} aria-hidden />}
        >
          {isSet ? t.table.datesActive(shown(from), shown(to)) : t.table.dates}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.table.dates} maw="calc(100vw - 2rem)">
        <Group align="flex-end" gap="xs">
          <DayRange labels={t.table} value={{ from, to }} onChange={onChange} />
          <Button
            variant="default"
            disabled={!isSet}
            onClick={() => onChange({ from: undefined, to: undefined })}
          >
            {t.table.clearDates}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
