import type { ButtonStyle, Resolvers } from '../../generated/resolver-types.ts'
import { userOf } from '../../users/access.ts'
import { writtenMessage } from '../access.ts'
import { buttonsOf, countPresses, listPresses } from './list-presses.ts'
import { pressButton } from './press-button.ts'

export const buttonResolvers: Resolvers = {
  Mutation: {
    pressMessageButton: (_root, { input }, ctx) => pressButton(ctx, input),
  },
  PressMessageButtonPayload: {
    message: (pressed, _args, ctx) => writtenMessage(ctx, pressed),
  },
  Message: {
    buttons: (message) => buttonsOf(message),
  },
  MessageButton: {
    buttonID: ({ id }) => id ?? null,
    style: ({ style }) => style as ButtonStyle,
    confirm: ({ confirm }) => confirm ?? null,
    url: ({ url }) => url ?? null,
    pressCount: async (button, _args, ctx) => (await countPresses(ctx, button)).count,
    viewerPressedAt: async (button, _args, ctx) => (await countPresses(ctx, button)).viewerPressedAt,
    presses: (button, args, ctx) => listPresses(ctx, button, args),
  },
  ButtonPress: {
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
  },
}
