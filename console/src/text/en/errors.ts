export const errors = {
  title: "Something went wrong",
  offline: "The service cannot be reached. Check your connection and try again.",
  offlineBanner:
    "You are offline. This page may be out of date, and changes are sent when you are back online.",
  service: (requestId: string) =>
    `The service reported an internal error. Its log lists the details under request ID ${requestId}.`,
  notFoundTitle: "Page not found",
  notFound: "The address may be wrong, or the page was removed.",
  forbiddenTitle: "No access",
  forbidden:
    "Your role does not include this page. Ask an administrator of your business for access.",
  sessionEnded: "Your session has ended. Sign in again.",
};
