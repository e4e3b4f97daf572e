/** The pages of the documentation as HTML, and the files that they load. */

export { GUIDES_PATH, type Guides, openGuides } from "./guides.ts";
export { DOCUMENTS, referencePage, uncompressed, vendorScript } from "./reference.ts";
