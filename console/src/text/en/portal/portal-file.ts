/** Strings for submitting a file of leads. */
export const portalFile = {
  title: "Submit a file",
  hint: "Upload a CSV file with one person per row. You can check a preview before anything is sent.",
  drop: "Drop a CSV file here",
  choose: "Choose a file",
  dropHint: (rows: string) => `Up to 10 MB and ${rows} rows, with column headers in the first row.`,
  notCsv: "Choose a CSV or text file of at most 10 MB.",
  unreadable: (why: string) => `The file cannot be read as CSV: ${why}`,
  empty: "The file has column headers but no rows.",
  tooMany: (rows: string, most: string) =>
    `The file has ${rows} rows; at most ${most} can be submitted at once. Split it into smaller files.`,
  example: "Download example",
  columns: "Map columns",
  columnsHint: "Fix any wrong guesses. Unmapped columns are not sent.",
  column: "Column and first value",
  meaning: "Field",
  meaningOf: (column: string) => `Field for “${column}”`,
  meanings: {
    skip: "Do not send",
    name: "Name",
    first_name: "First name",
    last_name: "Last name",
    email: "Email",
    phone: "Phone",
    source: "Source",
    comments: "Comments",
    description: "What they need",
    expiration_date: "Expiration date",
    preference: "Match preference",
  },
  unnamed: (at: number) => `Column ${at}`,
  twice: (meaning: string) => `Two columns are mapped to ${meaning}. Choose one.`,
  noName: "No column is mapped to the name.",
  noReach: "No column is mapped to an email address or a phone number.",
  source: "Source for rows without one",
  preview: "Preview",
  previewHint: (ready: string, rejected: string) =>
    rejected === "0"
      ? `All ${ready} rows can be submitted.`
      : rejected === "1"
        ? `${ready} rows can be submitted. The other row has a problem and will be skipped.`
        : `${ready} rows can be submitted. The other ${rejected} have problems and will be skipped.`,
  doubtful: (count: number) =>
    count === 1
      ? "1 email address looks invalid. You can still submit the row, or correct the file first."
      : `${count} email addresses look invalid. You can still submit these rows, or correct the file first.`,
  repeated: (count: number) =>
    count === 1
      ? "1 row repeats a person from an earlier row. Only the earlier row is submitted."
      : `${count} rows repeat a person from an earlier row. Only the first row for each person is submitted.`,
  row: "Row",
  problem: "Problem",
  ready: "Ready",
  onlyProblems: "Only rows with problems",
  problems: {
    name: "Name is missing.",
    reach: "Email address and phone number are missing.",
    source: (source: string) => `“${source}” is not one of your sources.`,
  },
  sameAs: (row: string) => `Same person as row ${row}.`,
  emailDoubtful: "The email address looks invalid.",
  start: (count: string) => `Submit ${count} leads`,
  startOne: "Submit 1 lead",
  other: "Choose another file",
  progress: "Progress",
  done: (done: string, all: string) => `${done} of ${all} rows`,
  pause: "Pause",
  resume: "Continue",
  stop: "Stop",
  stopTitle: "Stop submitting?",
  stopText: "Leads that you already submitted are kept. The remaining rows will not be submitted.",
  phases: {
    running: "Submitting…",
    paused: "Paused.",
    stopped: "Stopped. The remaining rows were not submitted.",
    done: "Done.",
  },
  holds: {
    waiting: (seconds: string) =>
      `Rate limit reached. Submission resumes automatically in about ${seconds} s.`,
    offline:
      "The service cannot be reached. No rows are lost or submitted twice. Continue when the service is available again.",
    signed_out:
      "Your session has ended. Sign in again, return to this page and continue. No rows are submitted twice.",
    forbidden: (why: string) => `The service no longer allows this: ${why}`,
  },
  counts: {
    pushed: "Submitted",
    known: "Duplicates",
    refused: "Rejected",
    left: "Remaining",
  },
  results: "Results",
  show: "Show",
  all: "All",
  result: "Result",
  outcomes: {
    waiting: "Remaining",
    pushed: "Submitted",
    known: "Duplicate",
    refused: "Rejected",
  },
  knownReason: "You already submitted this person.",
  pages: "Result pages",
  page: { first: "First page", previous: "Previous page", next: "Next page", last: "Last page" },
  pageOf: (at: string) => `Page ${at}`,
  downloadAll: "Download results",
  downloadRefused: "Download rejected rows",
  downloadHint:
    "These CSV files are safe to open in spreadsheet programs. To retry rejected rows, download them, fix them, and submit the fixed file.",
  resultColumn: "Result",
  statusColumn: "Lead status",
  reasonColumn: "Reason",
  idColumn: "Lead ID",
  another: "Submit another file",
  toRun: "View",
  nothingHere: "No rows",
};
