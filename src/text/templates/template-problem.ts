/** What is wrong with a template, for the person who wrote it. The line is undefined until it is known. */
export class TemplateProblem extends Error {
  readonly reason: string
  readonly line: number | undefined

  constructor(reason: string, line?: number) {
    super(reason)
    this.reason = reason
    this.line = line
  }
}
