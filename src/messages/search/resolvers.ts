import type { Resolvers } from '../../generated/resolver-types.ts'
import { inTurns } from '../../platform/in-turns.ts'
import { plainText } from '../../platform/markdown/plain-text.ts'
import { excerptOf } from '../../platform/search/excerpt.ts'
import { searchMessages } from './search-messages.ts'

export const searchResolvers: Resolvers = {
  Query: {
    searchMessages: (_root, { query, filter, order, ...args }, ctx) =>
      searchMessages(ctx, { query, filter, order }, args),
  },
  MessageSearchEdge: {
    cursor: ({ edge }) => edge.cursor,
    excerpt: ({ node, terms }, _args, ctx) =>
      inTurns(ctx.db, node.text.length, () =>
        excerptOf(plainText(node.text, ctx.config.mentionScheme), terms),
      ),
  },
}
