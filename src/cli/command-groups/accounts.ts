import {
  type CommandGroup,
  listOfAll,
  type ObjectType,
  runMutation,
  type Subcommand,
} from '../subcommands.ts'

const account: ObjectType = {
  fields: 'id email isVerified createdAt deactivatedAt',
  columns: {
    Email: 'email',
    Verified: 'isVerified',
    Created: 'createdAt',
    Deactivated: 'deactivatedAt',
    ID: 'id',
  },
}

export const accounts: CommandGroup = {
  name: 'accounts',
  description: 'The accounts with which people sign in, by email address.',
  subcommands: [
    {
      usage: 'list',
      description: 'List all accounts.',
      example: '',
      run: listOfAll('accounts', account),
    },
    {
      usage: 'deactivate <email>',
      description:
        'Deactivate an account until it is reactivated. Its sessions end, and its tokens stop working immediately.',
      confirm: 'Deactivate the account and end its sessions?',
      example: 'ada@example.com',
      run: runMutation({ mutation: 'deactivateAccount', field: 'account', type: account }),
    },
    {
      usage: 'reactivate <email>',
      description: 'Let the owner of a deactivated account sign in again.',
      example: 'ada@example.com',
      run: runMutation({ mutation: 'reactivateAccount', field: 'account', type: account }),
    },
  ],
}

const signInLinkDocument =
  'mutation ($input: CreateSignInLinkInput!) { createSignInLink(input: $input) { url } }'

export const signInLink: Subcommand = {
  usage: 'signin-link <email>',
  description:
    'Print a link that signs in the person who has an email address. It works once, within an hour.',
  example: 'ada@example.com',
  run: async (client, command) => {
    const { createSignInLink: created } = (await client(signInLinkDocument, {
      input: { email: command.processedArgs[0] },
    })) as { createSignInLink: { url: string } }
    return { json: created, text: created.url }
  },
}
