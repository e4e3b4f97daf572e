export const portal = {
  title: "Partner portal",
  signInTitle: "Partner sign-in",
  partnerId: "Partner ID",
  accessCode: "Access code",
  submit: "Sign in",
  hint: "The business that works with you gave you both. The code was shown once; ask for another if it is lost.",
  tenantsDoor: "Do you work for the business? Sign in to the console",
};
