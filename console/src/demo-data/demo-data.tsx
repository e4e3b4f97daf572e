/** A section to load, open and remove demo data. For owners of the first business. */

import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { Demo } from "@leadport/client";
import { useQueryClient } from "@tanstack/react-query";
import { api, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { percent } from "../ui/format/index.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import { Failure } from "../ui/states/index.ts";
import { demoQuery, useDemo } from "./use-demo.ts";

const text = t.demoData;

export function DemoData() {
  const { data } = useDemo();
  if (data === undefined || data.state === "unavailable") return null;
  return (
    <Section title={text.title} hint={text.hint}>
      <Status demo={data} />
    </Section>
  );
}

function Status({ demo }: { readonly demo: Demo }) {
  switch (demo.state) {
    case "filling":
      return <Loading done={demo.done} total={demo.total} />;
    case "removing":
      return <Text size="sm">{text.removing}</Text>;
    case "interrupted":
      return (
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{text.interrupted}</Text>
          <Remove />
        </Stack>
      );
    case "ready":
      return <Ready demo={demo} />;
    default:
      return <Load />;
  }
}

function Load() {
  const queries = useQueryClient();
  const loading = useSending(
    () => api.post("/crm/admin/demo", { body: {} }),
    (demo) => queries.setQueryData(demoQuery.queryKey, demo),
  );
  return (
    <div>
      <Button loading={loading.isSending} onClick={() => loading.send(undefined)}>
        {text.load}
      </Button>
      <Failure error={loading.error} />
    </div>
  );
}

function Loading({ done, total }: Pick<Demo, "done" | "total">) {
  const share = total === 0 ? 0 : Math.floor((100 * done) / total) / 100;
  return (
    <Stack gap={6} role="status">
      <Text size="sm">{text.loading(percent(share))}</Text>
      <Progress value={100 * share} aria-label={text.progress} />
    </Stack>
  );
}

function Ready({ demo: { tenant, is_member } }: { readonly demo: Demo }) {
  const opening = useSending(
    () => api.post("/crm/admin/demo/link"),
    ({ link }) => location.assign(link),
  );
  const name = tenant?.name ?? "";
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{is_member ? text.signInTo(name) : text.ready(name)}</Text>
      <Group gap="xs">
        {!is_member && (
          <Button loading={opening.isSending} onClick={() => opening.send(undefined)}>
            {text.open}
          </Button>
        )}
        <Remove />
      </Group>
      <Failure error={opening.error} />
    </Stack>
  );
}

function Remove() {
  const queries = useQueryClient();
  return (
    <ConfirmButton
      title={text.removeTitle}
      text={text.removeText}
      confirm={text.remove}
      work={() => api.delete("/crm/admin/demo")}
      onDone={() => queries.invalidateQueries(demoQuery)}
    >
      {text.remove}
    </ConfirmButton>
  );
}
