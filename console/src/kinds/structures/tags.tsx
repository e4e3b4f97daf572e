/** A list of tags. */

import { Badge, Group, TagsInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import { TAGS } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { Tags } from "../shown/index.ts";

const tagsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const tags: Kind = {
  width: 110,
  isList: true,
  isWideInput: true,
  empty: [],
  Cell: ({ value }) => <Tags tags={tagsIn(value)} />,
  Value: ({ value }) => (
    <Group gap={4}>
      {tagsIn(value).map((tag) => (
        <Badge key={tag} variant="default" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
    </Group>
  ),
  Input: ({ inputs, common, name, place = name, issues, value, set }) => (
    <TagsInput
      {...common}
      error={inputs.messageAt(issues, place, true)}
      description={t.record.tagsHint}
      value={tagsIn(value)}
      onChange={set}
    />
  ),
  filtering: TAGS,
};
