import type { FastifyReply } from 'fastify'
import { assetURL } from './assets.ts'
import { colorSchemeAttribute, varyByCookie } from './color-scheme.ts'
import type { HTML } from './html.ts'

const stylesheet = assetURL('server-pages', 'css')
const icon = assetURL('mark', 'svg')
// The font of Latin text. Otherwise, the browser would find it only after the stylesheet.
const font = assetURL('ibm-plex-sans-latin-wght-normal', 'woff2')

const strands =
  '<path d="M19 7.6A7 7 0 1 0 12 14.6A1.8 1.8 0 1 1 10.2 16.4"/><path d="M16.4 7.6A4.4 4.4 0 1 0 12 12A4.4 4.4 0 1 1 7.6 16.4"/>' +
  '<path d="M13.8 7.6A1.8 1.8 0 1 0 12 9.4A7 7 0 1 1 5 16.4"/>'

const mark = `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">${strands}</svg>`
/** The link to the start page, with the mark of the product. */
export const wordmark = `<a class="wordmark" href="/">${mark}Skein</a>`
/** The same link, where the mark stands beside the picture of an app. */
export const markLink: HTML = { html: `<a class="mark-link" href="/" aria-label="Skein">${mark}</a>` }

const policyFor = (formAction: string, script: string | undefined) =>
  [
    "default-src 'none'",
    "img-src 'self' data:",
    "style-src 'self'",
    "font-src 'self'",
    ...(script === undefined ? [] : ["script-src 'self'"]),
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * A page of the server. All parts are HTML. `formAction` lists the targets of its forms in the syntax of CSP 3. `script`
 * is the URL of a script without which the page works, too.
 */
export type HTMLPage = { title: string; body: string; formAction?: string; script?: string }

export function sendPage(
  reply: FastifyReply,
  { title, body, formAction = "'none'", script }: HTMLPage,
): FastifyReply {
  const hasForms = formAction !== "'none'"
  return reply
    .headers({
      'content-security-policy': policyFor(formAction, script),
      // For browsers without frame-ancestors (RFC 9700 4.16).
      'x-frame-options': 'DENY',
      // With no-referrer, browsers would send `Origin: null` with a form.
      'referrer-policy': hasForms ? 'same-origin' : 'no-referrer',
      'cache-control': hasForms ? 'no-store' : 'no-cache',
      vary: varyByCookie(reply),
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en"${colorSchemeAttribute(reply.request)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">
<link rel="stylesheet" href="${stylesheet}">${script ? `\n<script type="module" src="${script}"></script>` : ''}
</head>
<body>
${body}
</body>
</html>
`)
}

const behindCard =
  'M-20 330C120 330 210 90 420 90S640 210 760 210S930 150 985 210S1000 330 940 320S880 190 990 130S1180 120 1300 160'

/** A small page: a card, behind which a thread runs. `header` is its first row. */
export function card(main: string, header = wordmark): string {
  return `<div class="door">
<svg class="thread" viewBox="0 0 1280 420" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><path d="${behindCard}"/></svg>
<div class="card">
<header>${header}</header>
<main>
${main}</main>
</div>
</div>`
}

/** A page of text and lists. */
export function sheet(main: string): string {
  return `<div class="sheet">
<header>${wordmark}</header>
<main>
${main}</main>
</div>`
}
