/** Shows two records side by side with their differences, and asks which record to keep when they are merged. */

import { Badge, Button, Group, Modal, Radio, Stack, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ask, useMay, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { isNothing } from "../../ui/format/index.ts";
import { Failure, TextLink } from "../../ui/states/index.ts";
import { fieldLabel, pageOf, type RecordType, type Stored, writePath } from "../../record/index.ts";
import classes from "../values/record-page.module.css";
import { isRepeated, ShownValue } from "../values/index.ts";
import { fieldsInOrder, isSame } from "../form/index.ts";
import { keepRecord, recordQuery } from "../../requests/index.ts";

export interface CompareDialogProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly other: Stored;
  readonly onClose: () => void;
}

type Kept = "this" | "other";

export function CompareDialog({ type, record, other, onClose }: CompareDialogProps) {
  const mayWrite = useMay("records:write");
  const [kept, setKept] = useState<Kept>("this");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const merging = useSending(
    async () => {
      const [survivor, merged] = kept === "this" ? [record, other] : [other, record];
      const path = `${writePath(type, survivor._id)}/merge`;
      const message = { body: { ids: [merged._id] }, ifMatch: survivor.version };
      return (await ask<Stored>("post", path, message)).data;
    },
    async (survivor) => {
      notifications.show({ message: t.record.merged, color: "teal" });
      onClose();
      if (survivor._id !== record._id) {
        await navigate({ to: pageOf(type, survivor._id), replace: true });
        queries.removeQueries({ queryKey: recordQuery(type, record._id).queryKey });
      }
      await keepRecord(queries, type, survivor);
    },
  );
  return (
    <Modal opened onClose={onClose} title={t.record.compareTitle} size="xl">
      <Stack gap="md">
        <Comparison type={type} record={record} other={other} />
        {mayWrite && (
          <>
            <Radio.Group
              label={t.record.whichToKeep}
              description={t.record.compareHint}
              value={kept}
              onChange={(value) => setKept(value)}
            >
              <Group mt="xs">
                <Radio value="this" label={t.record.keepThis} />
                <Radio value="other" label={t.record.keepOther} />
              </Group>
            </Radio.Group>
            <Failure error={merging.error} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                {t.common.cancel}
              </Button>
              <Button loading={merging.isSending} onClick={() => merging.send(undefined)}>
                {t.record.merge}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}

function Comparison({ type, record, other }: Omit<CompareDialogProps, "onClose">) {
  const { main, more } = fieldsInOrder(type);
  const isShown = (name: string) =>
    [record, other].some((one) => !isNothing(one[name]) && !isRepeated(type, one, name));
  const names = [...main, ...more, "user_name", "created_ts", "updated_ts"].filter(isShown);
  return (
    <Table.ScrollContainer minWidth={320} mah="50dvh">
      <Table aria-label={t.record.compareTitle} verticalSpacing={6} className={classes["compared"]}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td w={{ base: 104, sm: 170 }} />
            <Table.Th scope="col">{t.record.thisOne}</Table.Th>
            <Table.Th scope="col">
              <TextLink to={pageOf(type, other._id)} size="sm">
                {t.record.otherOne}
              </TextLink>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => {
            const differs =
              !isNothing(record[name]) &&
              !isNothing(other[name]) &&
              !isSame(record[name], other[name]);
            return (
              <Table.Tr key={name} className={differs ? classes["differs"] : undefined}>
                <Table.Th scope="row">
                  <Text size="sm" fw={differs ? 600 : 400}>
                    {fieldLabel(name)}
                  </Text>
                  {differs && (
                    <Badge size="xs" variant="default" tt="none">
                      {t.record.differs}
                    </Badge>
                  )}
                </Table.Th>
                <Table.Td>
                  <ShownValue type={type} values={record} name={name} />
                </Table.Td>
                <Table.Td>
                  <ShownValue type={type} values={other} name={name} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
