/** The steps of the import wizard. The current step is marked. */

import { Group, Text, ThemeIcon, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { t } from "../text/index.ts";
import classes from "./import/files.module.css";

const STEPS = ["choose", "check", "run"] as const;

export type Step = (typeof STEPS)[number];

export function Steps({ now }: { readonly now: Step }) {
  const at = STEPS.indexOf(now);
  return (
    <ol className={classes["steps"]} aria-label={t.files.steps}>
      {STEPS.map((step, index) => {
        const state = index < at ? "done" : index === at ? "now" : "later";
        return (
          <li key={step} aria-current={state === "now" ? "step" : undefined}>
            <Group gap="xs" wrap="nowrap">
              <ThemeIcon
                size={26}
                radius="xl"
                variant={state === "later" ? "default" : state === "now" ? "filled" : "light"}
                aria-hidden
              >
                {state === "done" ? <IconCheck size={15} /> : <span>{index + 1}</span>}
              </ThemeIcon>
              <Text
                size="sm"
                fw={state === "now" ? 600 : 400}
                {...(state !== "now" && { c: "dimmed" })}
              >
                {t.files.step[step]}
              </Text>
              <VisuallyHidden>{t.files.stepState[state]}</VisuallyHidden>
            </Group>
          </li>
        );
      })}
    </ol>
  );
}
