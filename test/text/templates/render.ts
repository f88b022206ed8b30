import { Budget } from '../../../src/text/templates/budget.ts'
import { renderTemplate } from '../../../src/text/templates/render-template.ts'
import type { Markup } from '../../../src/text/templates/template-context.ts'
import { TemplateProblem } from '../../../src/text/templates/template-problem.ts'

const markup: Markup = {
  value: (text) => text,
  code: (text, language) => `code${language}(${text})`,
  link: (label, url) => `link(${label} ${url})`,
}

/** Renders a template without any markup of its own. */
export function render(source: string, body: unknown = {}, own: Partial<Markup> = {}): string {
  return renderTemplate(source, { body, budget: new Budget(), markup: { ...markup, ...own } })
}

/** Returns the line and the reason of the problem of a template. */
export function problemOf(source: string, body: unknown = {}): { line: number | undefined; reason: string } {
  try {
    render(source, body)
  } catch (error) {
    if (error instanceof TemplateProblem) return { line: error.line, reason: error.reason }
    throw error
  }
  throw new Error('The template has no problem')
}
