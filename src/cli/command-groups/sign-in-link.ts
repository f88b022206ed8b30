import type { Subcommand } from '../subcommands.ts'

const document = 'mutation ($input: CreateSignInLinkInput!) { createSignInLink(input: $input) { url } }'

export const signInLink: Subcommand = {
  usage: 'signin-link <email>',
  description:
    'Print a link that signs in the person who has an email address. It works once, within an hour.',
  example: 'ada@example.com',
  run: async (client, command) => {
    const { createSignInLink: created } = (await client(document, {
      input: { email: command.processedArgs[0] },
    })) as { createSignInLink: { url: string } }
    return { json: created, text: created.url }
  },
}
