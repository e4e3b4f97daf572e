/** The documentation pages as HTML, and the files that the pages load. */

export { notFoundPage } from "./frame.ts";
export { GUIDES_PATH, type Guides, openGuides } from "./guides.ts";
export { DOCUMENTS, referencePage, uncompressed, vendorScript } from "./reference.ts";
