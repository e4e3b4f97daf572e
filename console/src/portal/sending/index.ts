/** What is sent of a lead, by the form and by files. */

export { newPreference, type Preference, preferencesOf } from "./preferences.ts";
