/** Values that consist of several parts, as pages show them. */

export { Entries, MailLink, Phone, Profiles, WebLink } from "./addresses.tsx";
export { CellLink, PartnerName, PlainText, RecordName, Status, Tags } from "./cells.tsx";
export { withoutEmptyRows } from "./empty-rows.ts";
export { LineTexts } from "./line-texts.tsx";
export { LinesTable } from "./lines-table.tsx";
export { SocialSecurityNumber } from "./ssn.tsx";
