/** The import wizard: choose a file, check it, import it. */

import { Alert, Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type RecordType, typeByPlural, typeLabel, typeNamed } from "../record/index.ts";
import { t } from "../text/index.ts";
import { bytes } from "../ui/format/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { useSending } from "../api/index.ts";
import { CheckFile } from "./check-file.tsx";
import { ChooseFile } from "./choose-file.tsx";
import {
  type ImportOptions,
  importQuery,
  prepareImport,
  startUpload,
  typeOf,
  useCheck,
} from "./import/index.ts";
import { Steps } from "./steps.tsx";

const route = getRouteApi("/console/imports/new");

export default function NewImport() {
  const { type: plural, like } = route.useSearch();
  const navigate = useNavigate();
  const { data: model } = useQuery({ ...importQuery(like ?? ""), enabled: like !== undefined });
  const [file, setFile] = useState<File>();
  const [changed, setOptions] = useState<ImportOptions>();
  const options = changed ?? model?.options ?? {};
  const modelType = model === undefined ? undefined : typeOf(model);
  const type = typeByPlural(plural ?? "") ?? modelType ?? typeNamed("lead");
  const check = useCheck();
  const place = useFocusOnStep(file === undefined);
  const starting = useSending(
    async (chosen: File) => {
      const asked = { type: type.name, file_name: chosen.name.slice(-255), options };
      const { id } = await prepareImport(asked);
      void startUpload(id, chosen);
      return id;
    },
    (id) => navigate({ to: "/imports/$id", params: { id } }),
  );
  const begin = (chosen: File) => {
    setFile(chosen);
    check.run({ type, file: chosen, options });
  };
  const chooseType = (chosen: RecordType) =>
    navigate({ to: "/imports/new", search: { type: chosen.plural }, replace: true });
  return (
    <div ref={place}>
      <PageHeader title={t.files.newTitle} />
      <Steps now={file === undefined ? "choose" : "check"} />
      {file === undefined ? (
        <>
          {model !== undefined && modelType === type && (
            <Alert color="blue" mb="md" maw={720}>
              {t.files.like(model.file_name ?? t.files.unnamed)}
            </Alert>
          )}
          <ChooseFile type={type} onType={(chosen) => void chooseType(chosen)} onFile={begin} />
        </>
      ) : (
        <>
          <Group gap="sm" mb="md">
            <Text size="sm">
              {typeLabel(type).many} · {t.files.chosen(file.name, bytes(file.size))}
            </Text>
            <Anchor component="button" type="button" size="sm" onClick={() => setFile(undefined)}>
              {t.files.otherFile}
            </Anchor>
          </Group>
          <CheckFile
            type={type}
            file={file}
            check={check}
            options={options}
            onOptions={setOptions}
            onCheck={() => check.run({ type, file, options })}
            onBack={() => setFile(undefined)}
            onImport={() => starting.send(file)}
            isStarting={starting.isSending}
            startError={starting.error}
          />
        </>
      )}
    </div>
  );
}

/** Focuses the heading of a new step, so that screen readers announce it. */
function useFocusOnStep(step: unknown) {
  const place = useRef<HTMLDivElement>(null);
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    place.current?.querySelector<HTMLElement>("[data-step], h1")?.focus();
  }, [step]);
  return place;
}
