/** A menu to save, rename and delete views. */

import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconArrowBackUp,
  IconChevronDown,
  IconDeviceFloppy,
  IconPencil,
  IconPinned,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { stateOf, type TableProps } from "../list/index.ts";
import { ALL, newViewId, useViews, type View } from "./use-views.ts";

/** Loaded on demand, because most visits to a table change no view. */
const loadDialogs = async () => import("./view-dialogs.tsx");
const NameDialog = lazy(async () => ({ default: (await loadDialogs()).NameDialog }));
const DeleteViewDialog = lazy(async () => ({ default: (await loadDialogs()).DeleteViewDialog }));

export interface ViewMenuProps extends TableProps {
  /** The saved view that is open. */
  readonly open: View | undefined;
  readonly isChanged: boolean;
}

type Dialog = "save as" | "rename" | "delete";

/** Returns a view after the user toggles whether `at` is the default view. Only one view can be the default. */
const pinned = (view: View, at: View): View => ({
  ...view,
  is_default: view.id === at.id && at.is_default !== true,
});

export function ViewMenu({ type, search, onReplace, open, isChanged }: ViewMenuProps) {
  const [dialog, setDialog] = useState<Dialog>();
  const { views, save } = useViews(type);
  const state = stateOf(search);
  const others = views.filter((view) => view !== open);
  const show = (name: Dialog | undefined) => {
    save.reset();
    setDialog(name);
  };
  const notify = (message: string) => {
    notifications.show({ message });
    setDialog(undefined);
  };
  const edit = (name: string, change: (view: View) => View) =>
    save.send({
      edit: (all) => all.map((view) => (view.id === open?.id ? change(view) : view)),
      onKept: () => notify(t.table.views.saved(name)),
    });
  const saveAs = (name: string) => {
    const view: View = { id: newViewId(), name, state };
    save.send({
      edit: (all) => [...all, view],
      onKept: () => {
        onReplace({ ...state, view: view.id });
        notify(t.table.views.saved(name));
      },
    });
  };
  const remove = ({ id, name }: View) =>
    save.send({
      edit: (all) => all.filter((view) => view.id !== id),
      onKept: () => {
        onReplace({ view: ALL });
        notify(t.table.views.removed(name));
      },
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="subtle"
            size="compact-sm"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            loading={save.isSending && dialog === undefined}
          >
            {t.table.views.menu}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {open !== undefined && (
            <Menu.Item
              disabled={!isChanged}
              leftSection={<IconDeviceFloppy size={16} aria-hidden />}
              onClick={() => edit(open.name, (view) => ({ ...view, state }))}
            >
              {t.table.views.save}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => show("save as")}
          >
            {t.table.views.saveAs}
          </Menu.Item>
          {isChanged && (
            <Menu.Item
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => onReplace({ ...open?.state, view: open?.id ?? ALL })}
            >
              {t.table.views.discard}
            </Menu.Item>
          )}
          {open !== undefined && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconPinned size={16} aria-hidden />}
                onClick={() => save.send({ edit: (all) => all.map((view) => pinned(view, open)) })}
              >
                {open.is_default === true ? t.table.views.unmakeDefault : t.table.views.makeDefault}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => show("rename")}
              >
                {t.table.views.rename}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => show("delete")}
              >
                {t.table.views.remove}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === undefined && <Failure error={save.error} />}
      <Suspense fallback={null}>
        {(dialog === "save as" || dialog === "rename") && (
          <NameDialog
            title={dialog === "rename" ? t.table.views.rename : t.table.views.saveAs}
            name={dialog === "rename" ? (open?.name ?? "") : ""}
            taken={(dialog === "rename" ? others : views).map(({ name }) => name)}
            error={save.error}
            isSending={save.isSending}
            onName={
              dialog === "rename" ? (name) => edit(name, (view) => ({ ...view, name })) : saveAs
            }
            onClose={() => show(undefined)}
          />
        )}
        {dialog === "delete" && open !== undefined && (
          <DeleteViewDialog
            view={open}
            error={save.error}
            isSending={save.isSending}
            onDelete={() => remove(open)}
            onClose={() => show(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}
