import type { Resolvers } from '../../generated/resolver-types.ts'
import { writtenMessage } from '../access.ts'
import { listReactingUsers, listReactions } from './list-reactions.ts'
import { addReaction, removeReaction } from './react.ts'

export const reactionResolvers: Resolvers = {
  Mutation: {
    addReaction: (_root, { input }, ctx) => addReaction(ctx, input),
    removeReaction: (_root, { input }, ctx) => removeReaction(ctx, input),
  },
  AddReactionPayload: {
    message: (reacted, _args, ctx) => writtenMessage(ctx, reacted),
  },
  RemoveReactionPayload: {
    message: (reacted, _args, ctx) => writtenMessage(ctx, reacted),
  },
  Message: {
    reactions: (message, args, ctx) => listReactions(ctx, message, args),
  },
  Reaction: {
    users: (reaction, args, ctx) => listReactingUsers(ctx, reaction, args),
  },
}
