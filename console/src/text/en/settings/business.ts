export const business = {
  title: "Business",
  hint: "Settings for your whole business.",
  general: "General",
  name: "Name",
  nameHint: "Shown to partners and invited users.",
  handle: "Handle",
  handleHint: "Identifies this business on the command line. It never changes.",
  country: "Default country",
  countryHint: "Used for phone numbers without a country code.",
  timezone: "Time zone",
  timezoneHint: "Used for days, weeks and months in reports.",
  currency: "Currency",
  currencyHint:
    "All amounts are in this currency. If you change the currency, existing amounts are not converted.",
  duplicates: "Duplicate handling",
  duplicatesHint:
    "What happens when a new lead, contact or account matches an existing one. API requests can override this with on_duplicate.",
  onDuplicate: {
    allow: "Create another record",
    reject: "Reject the new record",
    return: "Return the existing record",
    update: "Update the existing record",
  },
  onDuplicateHint: {
    allow: "Both are kept. You can merge them later.",
    reject: "Returns 409 with the existing record’s ID.",
    return: "Nothing is saved.",
    update: "The existing record gets the new values.",
  },
  saved: "Settings saved",
  storage: "Storage",
  storageHint: "The operator of this installation sets the limits.",
  download: {
    title: "Download everything",
    hint: "The file contains all records, history, partners and settings of this business. It can be imported into another Leadport installation.",
    prepare: "Prepare download",
    key: "Transfer key",
    keyHint:
      "You need this key to import the file. Store the key separately from the file. Start the download within an hour.",
    download: "Download file",
  },
  storedRecords: "Records",
  storedBytes: "Disk space",
  stored: (used: string, quota: string) => `${used} of ${quota}`,
  notMeasured: (quota: string) => `Not measured yet; the limit is ${quota}`,
  measured: "Measured",
  nearQuota: (name: string, share: string) => `${name}: ${share} of the limit used`,
  nearQuotaText:
    "When the limit is reached, nothing can be added. Ask the operator to raise the limit before then.",
  atQuota: (name: string) => `${name}: the limit has been reached`,
  recordsFull:
    "No records can be added. Delete tasks, merge duplicates, or ask the operator to raise the limit.",
  bytesFull:
    "No records can be added or changed, and partners cannot submit leads. Ask the operator to raise the limit.",
};
