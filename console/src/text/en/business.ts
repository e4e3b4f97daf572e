export const business = {
  title: "Business",
  hint: "What holds for everybody of your business.",
  general: "General",
  name: "Name",
  nameHint: "Partners and invited people see it.",
  country: "Default country",
  countryHint: "Phone numbers without a country code are read as of here.",
  timezone: "Time zone",
  timezoneHint: "Where days, weeks and months begin in summaries.",
  currency: "Currency",
  currencyHint: "Every amount is in it. Changing it converts nothing.",
  duplicates: "When somebody is known already",
  duplicatesHint:
    "What creating a lead, contact or account does where it does not say it itself (on_duplicate).",
  onDuplicate: {
    allow: "Make another record",
    reject: "Refuse it",
    return: "Give back the one that is there",
    update: "Change the one that is there",
  },
  onDuplicateHint: {
    allow: "Both stay; they can be merged later.",
    reject: "The answer is 409 and names the record that is there.",
    return: "Nothing is written.",
    update: "What was sent is written to it, as a PATCH would.",
  },
  saved: "The settings are saved",
};
