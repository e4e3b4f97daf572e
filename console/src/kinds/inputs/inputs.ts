/** The inputs that kinds of fields use, and the lookup of their error messages, by name. */

import { NumberField, SearchSelect, SuggestInput } from "../../ui/forms/index.ts";
import { AssigneeInput } from "./assignee-input.tsx";
import { EntriesInput } from "./entries-input.tsx";
import { messageAt } from "./field-props.ts";
import { FreeInput } from "./free-input.tsx";
import { LinesInput } from "./lines-input.tsx";
import { MomentInput } from "./moment-input.tsx";
import { ReferenceInput } from "./reference-input.tsx";
import { SocialsInput } from "./socials-input.tsx";

export const INPUTS = {
  AssigneeInput,
  EntriesInput,
  FreeInput,
  LinesInput,
  messageAt,
  MomentInput,
  NumberField,
  ReferenceInput,
  SearchSelect,
  SocialsInput,
  SuggestInput,
};
