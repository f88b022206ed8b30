import type { Resolvers } from '../../generated/resolver-types.ts'
import { inTurns } from '../../platform/scheduling/in-turns.ts'
import { plainText } from '../../text/markdown/plain-text.ts'
import { excerptOf } from '../../text/search/excerpt.ts'
import type { Term } from '../../text/search/query.ts'
import { mentionedNames } from '../render-html.ts'
import { searchMessages } from './search-messages.ts'

function hasMatch(subject: string | null, terms: readonly Term[]): boolean {
  return subject !== null && excerptOf(subject, terms).includes('<mark>')
}

export const searchResolvers: Resolvers = {
  Query: {
    searchMessages: (_root, { query, filter, order, ...args }, ctx) =>
      searchMessages(ctx, { query, filter, order }, args),
  },
  MessageSearchEdge: {
    cursor: ({ edge }) => edge.cursor,
    excerpt: async ({ node, terms }, _args, ctx) => {
      const names = await mentionedNames(ctx, node)
      return inTurns(ctx.db, node.text.length, () => {
        const text = plainText(node.text, ctx.config.mentionSchemes, names)
        return excerptOf(hasMatch(node.subject, terms) ? `${node.subject} — ${text}` : text, terms)
      })
    },
  },
}
