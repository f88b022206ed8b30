import { escapeHTML } from '../text/markdown/escape.ts'

export type MailBody = {
  /** The sentence above the link. */
  text: string
  link: { label: string; url: string }
  /** How long the link works, and what to do with an unexpected mail. */
  note: string
}

/** Mail programs do not know custom properties. Therefore these are the values of the tokens of the web app. */
const style = `
body { margin: 0; padding: 32px 16px; background: #ece9e2; color: #201d18; font: 15px/22px 'IBM Plex Sans', system-ui, sans-serif }
div { max-width: 480px; margin: 0 auto; padding: 32px; background: #ffffff; border-radius: 12px }
p { margin: 0 0 20px }
.name { font-weight: 600 }
.link { display: inline-block; padding: 8px 16px; background: #4340a8; color: #ffffff; border-radius: 6px; font-weight: 500; text-decoration: none }
.note { margin: 0; color: #656056; font-size: 13px; line-height: 18px; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) {
  body { background: #131211; color: #ebe8e1 }
  div { background: #211f1d }
  .link { background: #5f5dcb }
  .note { color: #a8a297 }
}
`

/** Returns a mail as plain text and as HTML, for programs that show only one of them. It loads nothing. */
export function mailBody({ text, link, note }: MailBody): { text: string; html: string } {
  const [url, label] = [link.url, link.label].map(escapeHTML)
  return {
    text: `${text} Open this link:\n\n${link.url}\n\n${note}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>${style}</style>
</head>
<body>
<div>
<p class="name">Skein</p>
<p>${escapeHTML(text)}</p>
<p><a class="link" href="${url}">${label}</a></p>
<p class="note">${escapeHTML(note)} If the button does nothing, open this address: ${url}</p>
</div>
</body>
</html>
`,
  }
}
