export const errors = {
  title: "Something went wrong",
  offline: "The service cannot be reached. Check your connection and try again.",
  offlineBanner:
    "You are offline. This page may be out of date, and changes are sent when you are back online.",
  service: (requestId: string) =>
    `Internal error. For details, look up request ID ${requestId} in the service log.`,
  notFoundTitle: "Page not found",
  notFound: "The address may be wrong, or the page was removed.",
  forbiddenTitle: "No access",
  forbidden:
    "Your role does not include this page. Ask an administrator of your business for access.",
  sessionEnded: "Your session has ended. Sign in again.",
};
