/**
 * Actions for a user: create a link, end sessions, turn off two-factor authentication, suspend or
 * activate.
 */

import type { PersonLink } from "@leadport/client";
import { ActionIcon, Menu, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconDots,
  IconLink,
  IconLogout,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconShieldOff,
} from "@tabler/icons-react";
import { useState } from "react";
import { api, sentenceOf } from "../api/index.ts";
import { t } from "../text/index.ts";
import { ConfirmModal, type Question } from "../ui/forms/index.ts";
import { EditPerson } from "./edit-person.tsx";
import { OneTimeLink } from "./one-time-link.tsx";
import { useRefreshPeople, type Person } from "./use-people.ts";

/** Runs an action immediately and shows an error if it fails. */
const run = (work: () => Promise<unknown>) => () => {
  work().catch((error: unknown) =>
    notifications.show({ color: "red", title: t.errors.title, message: sentenceOf(error) }),
  );
};

export function PersonMenu({
  person,
  isOwn,
}: {
  readonly person: Person;
  readonly isOwn: boolean;
}) {
  const refresh = useRefreshPeople();
  const [isEditing, setEditing] = useState(false);
  const [made, setMade] = useState<PersonLink>();
  const [question, setQuestion] = useState<Question>();
  const { name, status } = person;
  const path = { person_id: person.id };
  const setStatus = async (next: "active" | "suspended") => {
    await api.patch("/crm/admin/people/{person_id}", { path, body: { status: next } });
    await refresh();
  };
  const makeLink = async () => {
    setMade(await api.post("/crm/admin/people/{person_id}/link", { path }));
  };
  const endSessions = async () => {
    const { ended } = await api.delete("/crm/admin/people/{person_id}/sessions", { path });
    notifications.show({ message: t.people.ended(ended) });
  };
  const removeFactor = async () => {
    await api.delete("/crm/admin/people/{person_id}/second_factor", { path });
    await refresh();
  };
  return (
    <>
      <Menu position="bottom-end" width={290}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.people.actionsOf(name)}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            {t.people.edit}
          </Menu.Item>
          {(status === "invited" || (status === "active" && !isOwn)) && (
            <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={run(makeLink)}>
              {status === "invited" ? t.people.newInvitation : t.people.resetLink}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() =>
              setQuestion({
                title: t.people.endSessions,
                text: t.people.endSessionsText(name),
                confirm: t.people.endSessions,
                work: endSessions,
              })
            }
          >
            {t.people.endSessions}
          </Menu.Item>
          {person.has_second_factor && !isOwn && (
            <Menu.Item
              leftSection={<IconShieldOff size={16} aria-hidden />}
              onClick={() =>
                setQuestion({
                  title: t.people.removeFactor,
                  text: t.people.removeFactorText(name),
                  confirm: t.people.removeFactor,
                  work: removeFactor,
                })
              }
            >
              {t.people.removeFactor}
            </Menu.Item>
          )}
          {status === "suspended" && (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              onClick={run(async () => setStatus("active"))}
            >
              {t.people.activate}
            </Menu.Item>
          )}
          {(status === "active" || status === "invited") && !isOwn && (
            <Menu.Item
              leftSection={<IconPlayerPause size={16} aria-hidden />}
              onClick={() =>
                setQuestion({
                  title: t.people.suspend,
                  text: t.people.suspendText(name),
                  confirm: t.people.suspend,
                  work: async () => setStatus("suspended"),
                })
              }
            >
              {t.people.suspend}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isEditing && <EditPerson person={person} onClose={() => setEditing(false)} />}
      {question !== undefined && (
        <ConfirmModal question={question} onClose={() => setQuestion(undefined)} />
      )}
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title={t.people.newLink}
        size="lg"
      >
        {made !== undefined && <OneTimeLink made={made} />}
      </Modal>
    </>
  );
}
