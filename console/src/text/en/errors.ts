export const errors = {
  title: "Something went wrong",
  offline: "The service cannot be reached. Check your connection and try again.",
  offlineBanner:
    "You are offline. This page may be out of date. Your changes will be sent when you are back online.",
  service: (requestId: string) =>
    `Internal error. For details, look up request ID ${requestId} in the service log.`,
  notFoundTitle: "Page not found",
  notFound: "The URL may be wrong, or the page may have been removed.",
  forbiddenTitle: "No access",
  forbidden:
    "Your role does not give you access to this page. Ask one of your administrators for access.",
  sessionEnded: "Your session has ended. Sign in again.",
  /** Messages for invalid values, by the type of the service's issue. */
  issues: {
    types: {
      missing: "Enter a value",
      string_type: "Enter text",
      int_type: "Enter a whole number",
      int_from_float: "Enter a whole number",
      int_parsing: "Enter a whole number",
      float_type: "Enter a number",
    },
    limits: {
      string_too_short: (least: number) =>
        least === 1 ? "Enter a value" : `Enter at least ${least} characters`,
      string_too_long: (most: number) => `Enter at most ${most.toLocaleString("en")} characters`,
      too_short: (least: number) => (least === 1 ? "Add at least one" : `Add at least ${least}`),
      too_long: (most: number) => `Add at most ${most}`,
      greater_than_equal: (least: number) => `Enter ${least.toLocaleString("en")} or more`,
      less_than_equal: (most: number) => `Enter ${most.toLocaleString("en")} or less`,
    },
    enum: (expected: string) => `Choose ${expected}`,
  },
};
