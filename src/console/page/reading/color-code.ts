/** The rest of a longer code has one color. */
const mostCharacters = 20_000

const [text, number] = [
  String.raw`(?<text>(?<!\w)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))`,
  String.raw`(?<number>(?<![\w.:-])\d[\d_.]*(?![\w:-]))`,
]
const keywords =
  'async|await|break|case|catch|class|const|continue|def|defer|do|elif|else|enum|export|extends|false|finally|fn|for|from|func|function|if|impl|import|in|interface|let|match|mut|new|nil|None|null|package|private|public|return|self|static|struct|switch|this|throw|true|True|False|try|type|use|var|void|while|with|yield'
const colored = (word: string) =>
  new RegExp(String.raw`${text}|${number}|(?<word>(?<![\w-])(?:${word})(?![\w-]))`, 'g')
/** Common languages, and SQL. */
const inCode = colored(`${keywords}|[A-Z]{2,}`)
/** Logs and other texts: only words such as `ERROR`. */
const inText = colored('[A-Z]{4,}')
const textLanguages: unknown[] = [undefined, 'console', 'log', 'plaintext', 'text', 'txt']

/**
 * Colors a text node of code without changing the page (CSS Custom Highlight API). Returns a function that removes the
 * colors. A browser without this API shows the code in one color.
 */
export function colorCode(node: Text, language: string | undefined): () => void {
  // With forced colors, Chromium shows highlights as selected.
  if (!('highlights' in CSS) || matchMedia('(forced-colors: active)').matches) return () => {}
  const pattern = textLanguages.includes(language) ? inText : inCode
  const made: [Highlight, AbstractRange][] = []
  for (const { index, 0: match, groups = {} } of node.data.slice(0, mostCharacters).matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    const [start, end] = [index, index + match.length]
    const range = { startContainer: node, startOffset: start, endContainer: node, endOffset: end }
    made.push([highlightOf(`code-${kind}`), new StaticRange(range)])
  }
  for (const [highlight, range] of made) highlight.add(range)
  return () => {
    for (const [highlight, range] of made) highlight.delete(range)
  }
}

function highlightOf(name: string): Highlight {
  const highlight = CSS.highlights.get(name) ?? new Highlight()
  CSS.highlights.set(name, highlight)
  return highlight
}
