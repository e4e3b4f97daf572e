/** The command palette: find a page, an action or a record by typing its name. */

import { CloseButton, Group, Input, Kbd, Loader, Modal, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { t } from "../text/index.ts";
import { paletteTexts } from "../text/palette.ts";
import { Failure } from "../ui/states/index.ts";
import { number } from "../ui/format/index.ts";
import { choicesWith, type Choice } from "./choice.ts";
import { Choices, optionId } from "./choices.tsx";
import css from "./palette.module.css";
import { usePlaces } from "./use-places.ts";
import { useRecords } from "./use-records.ts";

export interface PaletteProps {
  /** The number of times that the palette has been opened. */
  readonly asked: number;
}

export default function Palette({ asked }: PaletteProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const focused = useRef<Element>(null);
  useEffect(() => {
    focused.current = document.activeElement;
    open();
  }, [asked, open]);
  // Restores the focus to the previously focused element. That element is stored before the palette opens, because the
  // palette's input takes the focus as soon as it appears.
  const giveBack = useCallback(() => {
    if (document.activeElement === document.body && focused.current instanceof HTMLElement) {
      focused.current.focus({ preventScroll: true });
    }
  }, []);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      size={600}
      yOffset="min(5rem, 8vh)"
      returnFocus={false}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label={paletteTexts.title}>
        <Finder onClose={close} onGone={giveBack} />
      </Modal.Content>
    </Modal.Root>
  );
}

interface FinderProps {
  readonly onClose: () => void;
  /** Called when the palette is unmounted. */
  readonly onGone: () => void;
}

function Finder({ onClose, onGone }: FinderProps) {
  useEffect(() => onGone, [onGone]);
  const listId = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const text = typed.trim();
  const places = usePlaces();
  const records = useRecords(text);
  const groups = [...choicesWith(places, text), ...records.groups];
  const choices = groups.flatMap((group) => group.choices);
  const at = Math.max(
    0,
    choices.findIndex(({ id }) => id === chosen),
  );
  const selected = choices[at];
  const hasFailed = records.error !== null;
  const isEmpty = choices.length === 0 && !records.isSearching;

  const take = ({ to }: Choice) => {
    onClose();
    if (typeof to === "string") void navigate({ href: to });
    else to();
  };
  const move = (by: number) => setChosen(choices.at((at + by) % choices.length)?.id);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || selected === undefined) return;
    const act = KEYS[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act(move, () => take(selected));
  };
  const status = records.isSearching
    ? paletteTexts.searching
    : isEmpty
      ? paletteTexts.nothing(text)
      : paletteTexts.found(number(choices.length));
  return (
    <>
      <Input
        autoFocus
        data-autofocus
        size="lg"
        variant="unstyled"
        role="combobox"
        aria-label={paletteTexts.label}
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={choices.length > 0 ? listId : undefined}
        aria-activedescendant={selected && optionId(listId, selected)}
        placeholder={paletteTexts.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
        onBlur={({ currentTarget, relatedTarget }) => {
          // A page that is still loading behind the palette focuses its first field.
          if (relatedTarget?.closest("[role=dialog]") === null) currentTarget.focus();
        }}
        leftSection={
          records.isSearching ? <Loader size="xs" /> : <IconSearch size={20} aria-hidden />
        }
        rightSection={<CloseButton aria-label={t.common.close} onClick={onClose} />}
        rightSectionPointerEvents="all"
        classNames={{ input: css["input"] ?? "" }}
      />
      {choices.length > 0 && (
        <Choices
          id={listId}
          groups={groups}
          selected={selected}
          onSelect={setChosen}
          onTake={take}
        />
      )}
      {hasFailed && (
        <div className={css["note"]}>
          <Failure error={records.error} onRetry={records.retry} />
        </div>
      )}
      {records.isOffline && (
        <Text size="sm" className={css["note"]}>
          {paletteTexts.offline}
        </Text>
      )}
      {isEmpty && !hasFailed && !records.isOffline && (
        <div className={css["note"]}>
          <Text fw={600} size="sm">
            {paletteTexts.nothing(text)}
          </Text>
          <Text c="dimmed" size="sm">
            {paletteTexts.nothingHint}
          </Text>
        </div>
      )}
      <VisuallyHidden role="status">{status}</VisuallyHidden>
      <KeysHint />
    </>
  );
}

type Act = (move: (by: number) => void, take: () => void) => void;

const KEYS: Readonly<Record<string, Act>> = {
  ArrowDown: (move) => move(1),
  ArrowUp: (move) => move(-1),
  Enter: (_move, take) => take(),
};

const KeysHint = () => (
  <Group gap="lg" fz="xs" c="dimmed" visibleFrom="sm" aria-hidden className={css["keys"]}>
    <span>
      <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {paletteTexts.keys.choose}
    </span>
    <span>
      <Kbd size="xs">Enter</Kbd> {paletteTexts.keys.open}
    </span>
    <span>
      <Kbd size="xs">Esc</Kbd> {paletteTexts.keys.close}
    </span>
  </Group>
);
