/** Parts of a submission that the form and file upload share. */

export { newPreference, type Preference, preferencesOf } from "./preferences.ts";
