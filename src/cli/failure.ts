/** What went wrong, in words for the person at the terminal. */
export class Failure extends Error {}
