/** Handles a form's submit event without sending the form. */

import type { FormEvent } from "react";

export const submitting = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};
