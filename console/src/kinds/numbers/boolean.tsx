/** Yes or no. */

import { Switch } from "@mantine/core";
import { t } from "../../text/index.ts";
import { FLAGS } from "../filtering/index.ts";
import type { Kind, ShownProps } from "../kind/index.ts";

const shown = ({ value }: ShownProps) => (value === true ? t.common.yes : t.common.no);

export const boolean: Kind = {
  width: 90,
  isShort: true,
  Cell: shown,
  Value: shown,
  Input: ({ common, value, set }) => (
    <Switch
      label={common.label}
      error={common.error}
      checked={value === true}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  ),
  filtering: FLAGS,
};
