/** The texts of the board of deals. */
export const board = {
  title: "Deals board",
};
