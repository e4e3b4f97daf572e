/** What a form does instead of sending itself. */

import type { FormEvent } from "react";

export const submitting = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};
