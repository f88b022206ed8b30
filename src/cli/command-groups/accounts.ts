import { listAll, pageSelection } from '../client.ts'
import { type CommandGroup, listOutput, type ObjectType, runMutation } from '../subcommands.ts'

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
      run: async (client) => {
        const document = `query ($after: String) { accounts${pageSelection(account.fields)} }`
        return listOutput(
          account.columns,
          await listAll(client, { document, path: 'accounts', variables: {} }),
        )
      },
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
