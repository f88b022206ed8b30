import { createElement, Fragment, type ReactNode } from 'react'
import { findAddresses } from '../../text/addresses.ts'
import { CodeBlock } from './code-block.tsx'
import { Mention } from './mention.tsx'
import { TextLink } from './text-link.tsx'

/** The elements of a message that need no component. Of other elements, only the content is shown. */
const plain = new Set(['p', 'br', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 'del', 'code'])
const blocks = new Set(['ul', 'ol', 'blockquote'])

type Context = { isInBlock: boolean; isLinked: boolean; nextCode: () => number }

/** Converts the HTML of a message. Addresses become links. Code can be copied and folded. */
export function htmlNodes(html: string): ReactNode {
  // The content of a template runs no scripts and loads nothing.
  const template = document.createElement('template')
  template.innerHTML = html
  let codes = 0
  return childrenOf(template.content, { isInBlock: false, isLinked: true, nextCode: () => codes++ })
}

function childrenOf(parent: Node, context: Context): ReactNode {
  return createElement(Fragment, null, ...[...parent.childNodes].map((node) => nodeOf(node, context)))
}

function nodeOf(node: Node, context: Context): ReactNode {
  if (node instanceof Text) return context.isLinked ? linkedText(node.data) : node.data
  if (!(node instanceof HTMLElement)) return null
  const name = node.localName
  if (name === 'pre') return codeOf(node, context)
  const inner = {
    ...context,
    isInBlock: context.isInBlock || blocks.has(name),
    // Addresses in code are not linked.
    isLinked: context.isLinked && name !== 'code',
  }
  if (name === 'a' && isSafe(node)) return linkOf(node, inner)
  if (name === 'span') return mentionOf(node)
  if (!plain.has(name)) return childrenOf(node, inner)
  return createElement(name, propsOf(node, context), name === 'br' ? undefined : childrenOf(node, inner))
}

function linkedText(text: string): ReactNode {
  const addresses = findAddresses(text)
  if (addresses.length === 0) return text
  const parts = addresses.flatMap(({ start, end, href }, index) => [
    text.slice(addresses[index - 1]?.end ?? 0, start),
    createElement(TextLink, { href }, text.slice(start, end)),
  ])
  return createElement(Fragment, null, ...parts, text.slice(addresses.at(-1)?.end))
}

function linkOf(link: HTMLElement, context: Context): ReactNode {
  const isText = [...link.childNodes].every((child) => child instanceof Text)
  const children = isText ? link.textContent : childrenOf(link, { ...context, isLinked: false })
  return createElement(TextLink, { href: link.getAttribute('href') ?? '' }, children)
}

function mentionOf({ dataset, textContent }: HTMLElement): ReactNode {
  return createElement(Mention, {
    id: dataset.id ?? '',
    name: textContent,
    isOwn: dataset.own !== undefined,
  })
}

function isSafe(link: HTMLElement): boolean {
  return /^(?:https?|mailto):/.test(link.getAttribute('href') ?? '')
}

function codeOf(block: HTMLElement, { nextCode }: Context): ReactNode {
  const language = /\blanguage-(\S+)/.exec(block.firstElementChild?.className ?? '')?.[1]
  return createElement(CodeBlock, { text: block.textContent, language, index: nextCode() })
}

/** Sets the direction of code, and of each outermost list and quote. The style sheet sets that of paragraphs. */
function propsOf(element: HTMLElement, { isInBlock }: Context): object | null {
  const { localName } = element
  if (localName === 'code') return { dir: 'ltr' }
  if (!blocks.has(localName)) return null
  return { dir: isInBlock ? undefined : 'auto', start: element.getAttribute('start') ?? undefined }
}
