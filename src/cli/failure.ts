/** An error whose message is for the person at the terminal. */
export class Failure extends Error {}
