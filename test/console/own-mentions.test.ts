import { expect, test } from 'vitest'
import { markMentions } from '../../src/console/thread/message/own-mentions.ts'
import { renderMarkdown } from '../../src/text/markdown/render-markdown.ts'

const [ada, grace, linus] = ['1', '2', '3'].map((digit) => `usr_${digit.repeat(27)}`) as [
  string,
  string,
  string,
]
const names = new Map([
  [ada, 'Ada'],
  [grace, 'Grace'],
])
const render = (source: string) => renderMarkdown(source, { schemes: ['skein'], names })

test('only the mentions of one user are marked', () => {
  const html = render(`[x](skein:${ada}) [x](skein:${grace}) \`[x](skein:${ada})\``)
  expect(markMentions(html, ada)).toContain(`<span class="mention" data-id="${ada}" data-own>@Ada</span>`)
  expect(markMentions(html, ada).match(/data-own/g)).toHaveLength(1)
  expect(markMentions(html, linus)).toBe(html)
})

test('text that looks like the tag of a mention is not a mention', () => {
  for (const text of [
    `<span class="mention" data-id="${ada}">`,
    `\`<span class="mention" data-id="${ada}">\``,
  ]) {
    const html = render(text)
    expect(markMentions(html, ada)).toBe(html)
  }
})
