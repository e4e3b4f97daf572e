/** Labels for options whose values are not suitable as labels. */
export const options: Readonly<Record<string, string | undefined>> = {
  cancelled: "Canceled",
  "ex-customer": "Ex-customer",
  "Incoming-Call": "Incoming call",
  Linkedin: "LinkedIn",
  link_made: "Link created",
  "lost-followup": "Lost in follow-up",
  opportunity: "Deal",
  pushed: "Submitted",
  recovery_codes_made: "Recovery codes created",
  reviewpass: "Review passed",
  reviewsubmit: "In review",
  Youtube: "YouTube",
};
