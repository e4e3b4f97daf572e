/** Shows the number of rows by result. */

import { Card, SimpleGrid, Text } from "@mantine/core";
import { t } from "../../text/index.ts";
import { number } from "../../ui/format/index.ts";
import type { Import } from "./import.ts";

const KEYS = ["created", "updated", "unchanged", "refused", "warned"] as const;

export const Counts = ({ job }: { readonly job: Import }) => (
  <>
    <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="sm">
      {KEYS.map((key) => (
        <Card key={key} withBorder padding="sm">
          <Text
            fz={24}
            fw={650}
            lh={1.2}
            {...(key === "refused" && job[key] > 0 && { c: "var(--mantine-color-error)" })}
          >
            {number(job[key])}
          </Text>
          <Text size="xs" c="dimmed">
            {(job.dry_run ? t.files.would : t.files.did)[key]}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
    {job.skipped > 0 && (
      <Text size="sm" c="dimmed" mt="xs">
        {t.files.skipped(number(job.skipped))}
      </Text>
    )}
  </>
);
