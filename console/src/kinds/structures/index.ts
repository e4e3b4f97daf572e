/** The kinds of lists and objects. */

import type { Kind } from "../kind/index.ts";
import { lines } from "./lines.tsx";
import { object } from "./object.tsx";
import { tags } from "./tags.tsx";

export const STRUCTURES: Readonly<Record<string, Kind>> = { lines, object, tags };
