/** Handles a form's submit event without letting the browser send the form. */

import type { FormEvent } from "react";

export const submitting = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};
