/** Code that the lead form and the file upload share. */

export { newPreference, type Preference, preferencesOf } from "./preferences.ts";
