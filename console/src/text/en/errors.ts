export const errors = {
  title: "This did not work",
  offline: "The service cannot be reached. Check the connection, then try again.",
  offlineBanner: "You are offline. What is shown may be old; changes wait until you are back.",
  service: (requestId: string) => `The service failed. Its log calls this request ${requestId}.`,
  notFoundTitle: "There is nothing here",
  notFound: "The address may be wrong, or what was here is gone.",
  forbiddenTitle: "You may not see this",
  forbidden: "Your role does not include it. An administrator of your business can change that.",
  sessionEnded: "Your session has ended. Please sign in again.",
};
