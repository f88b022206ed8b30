import { type HTML, html } from './html.ts'
import { type IconName, icon } from './icon.ts'

/** A box inside a page, for a text that must not be missed. */
export function notice(name: IconName, content: HTML): HTML {
  return html`<div class="notice">${icon(name)}<p>${content}</p></div>`
}

/** Says that something succeeded. Screen readers announce it. */
export function success(text: string): HTML {
  return html`<div class="notice">${icon('check')}<p role="status">${text}</p></div>`
}

/** Says why something was refused. Screen readers announce it immediately. */
export function refusal(problem: string): HTML {
  return html`<div class="notice error">${icon('triangle')}<p role="alert">${problem}</p></div>`
}
