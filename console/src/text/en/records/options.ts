/** Labels of options whose names in words would be misspelled or hard to understand. */
export const options: Readonly<Record<string, string | undefined>> = {
  cancelled: "Canceled",
  "ex-customer": "Ex-customer",
  "Incoming-Call": "Incoming call",
  Linkedin: "LinkedIn",
  "lost-followup": "Lost in follow-up",
  opportunity: "Deal",
  reviewpass: "Review passed",
  reviewsubmit: "In review",
  Youtube: "YouTube",
};
