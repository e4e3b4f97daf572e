/** Short notes next to a value. */

export { EmailNote } from "./email-note.tsx";
