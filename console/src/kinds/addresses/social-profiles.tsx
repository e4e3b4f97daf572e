/** Social media profiles: a network and a URL for each. */

import { t } from "../../text/index.ts";
import { words } from "../../ui/format/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText, Profiles, withoutEmptyRows } from "../shown/index.ts";

type Profile = Readonly<Record<string, unknown>>;

const networksIn = (profiles: readonly Profile[]): string =>
  profiles
    .map(({ type, platform }) => words(String(type ?? platform ?? t.record.profile)))
    .join(", ");

export const social_profiles: Kind = {
  isWideInput: true,
  empty: [],
  tidy: withoutEmptyRows,
  Cell: ({ value }) => <PlainText text={networksIn(value as readonly Profile[])} />,
  Value: ({ value }) => <Profiles profiles={value as readonly Profile[]} />,
  Input: (props) => <props.inputs.SocialsInput {...props} />,
  filtering: TEXT,
};
