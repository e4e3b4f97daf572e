/** The id of a record whose type is in another field. The input for that field also handles the id. */

import { reference } from "./reference.tsx";
import type { Kind } from "../kind/index.ts";

const { Input: _, width: __, ...like } = reference;

export const subject: Kind = like;
