/** Labels of options whose names do not make good labels. */
export const options: Readonly<Record<string, string | undefined>> = {
  cancelled: "Canceled",
  "ex-customer": "Ex-customer",
  "Incoming-Call": "Incoming call",
  Linkedin: "LinkedIn",
  "lost-followup": "Lost in follow-up",
  opportunity: "Deal",
  pushed: "Submitted",
  reviewpass: "Review passed",
  reviewsubmit: "In review",
  Youtube: "YouTube",
};
