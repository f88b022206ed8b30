import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #3d444d); --soft: light-dark(#f3f5f7, #1c2128);
  --field: #78828c; --link: light-dark(#0b57d0, #8ab4f8); }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#fff, #0f1318); color: light-dark(#1b2128, #e3e8ee);
  overflow-wrap: break-word; }
header, main { max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
header a { text-decoration: none; }
header a[aria-current] { font-weight: 600; color: inherit; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .5em; }
h1 { margin-top: .5em; }
code { font: .875em ui-monospace, monospace; background: var(--soft); padding: .15em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 1rem; border-radius: 6px; overflow-x: auto; }
pre code { padding: 0; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
img { max-width: 100%; height: auto; }
form { margin: 1rem 0; display: grid; gap: .75rem; max-width: 24rem; }
label { display: grid; gap: .25rem; }
input, select, button { font: inherit; min-width: 0; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: 6px; }
input, select { background: light-dark(#fff, #0f1318); color: inherit; }
input:read-only { background: var(--soft); }
button, .button { background: var(--link); color: light-dark(#fff, #0f1318); border-color: transparent; cursor: pointer; }
a.button { display: inline-block; padding: .5rem .75rem; border-radius: 6px; text-decoration: none; }
button.plain { background: var(--soft); color: inherit; border-color: var(--field); }
blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); white-space: pre-line; overflow-wrap: anywhere; }
.rows { list-style: none; padding: 0; }
.rows li { display: flex; gap: 1rem; justify-content: space-between; align-items: start; border-top: 1px solid var(--line); padding: .75rem 0; }
.rows li div { min-width: 0; }
.rows form { margin: 0; flex: none; }
.error { color: light-dark(#b3261e, #f2b8b5); }
.done, .note { padding: .5rem .75rem; border-radius: 6px; background: light-dark(#e6f4ea, #12301d); }
.note { background: var(--soft); }
.note code { padding: 0; background: none; white-space: nowrap; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; min-width: 7em; text-align: start; vertical-align: top; }
`

const styleHash = createHash('sha256').update(style).digest('base64')

const policyFor = (formAction: string) =>
  [
    "default-src 'none'",
    "img-src 'self' data:",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')

/** A page without scripts. All parts are HTML. `formAction` lists the targets of its forms in the syntax of CSP 3. */
export type HTMLPage = { title: string; menu: string; main: string; formAction?: string }

export function sendPage(
  reply: FastifyReply,
  { title, menu, main, formAction = "'none'" }: HTMLPage,
): FastifyReply {
  const hasForms = formAction !== "'none'"
  return reply
    .headers({
      'content-security-policy': policyFor(formAction),
      // For browsers without frame-ancestors (RFC 9700 4.16).
      'x-frame-options': 'DENY',
      // With no-referrer, browsers would send `Origin: null` with a form.
      'referrer-policy': hasForms ? 'same-origin' : 'no-referrer',
      'cache-control': hasForms ? 'no-store' : 'no-cache',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>${menu}</header>
<main>
${main}</main>
</body>
</html>
`)
}

export function menuLink(path: string, title: string, current?: string): string {
  return `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${title}</a>`
}
