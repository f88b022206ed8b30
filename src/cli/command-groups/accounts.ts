import { Option } from 'commander'
import {
  type CommandGroup,
  listOfAll,
  type ObjectType,
  runMutation,
  type Subcommand,
} from '../subcommands.ts'
import { deactivateAccounts } from './deactivate-accounts.ts'

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

const deactivateOne = runMutation({ mutation: 'deactivateAccount', field: 'account', type: account })

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
      usage: 'deactivate [email]',
      description:
        'Deactivate an account until it is reactivated. Its sessions end, and its tokens stop working immediately. With --csv, deactivate the accounts of a file, one after another.',
      options: [
        new Option('--csv <file>', 'a CSV file with the email addresses, or - for a pipe'),
        new Option('--dry-run', 'with --csv, change nothing, and say what would be done'),
      ],
      confirm: 'Deactivate the account and end its sessions?',
      example: 'ada@example.com',
      run: async (client, command, context) => {
        const { csv, dryRun } = command.opts<{ csv?: string; dryRun?: true }>()
        if ((csv === undefined) === (command.args.length === 0))
          command.error('error: specify either an email address or --csv.')
        if (csv === undefined && dryRun) command.error('error: --dry-run requires --csv.')
        if (csv === undefined) return deactivateOne(client, command, context)
        if (!dryRun) await context.confirm()
        return deactivateAccounts(client, command)
      },
    },
    {
      usage: 'end-sessions <email>',
      description:
        'End all sessions of an account in all browsers. Its tokens, and the access of apps, do not end.',
      confirm: 'End all sessions of the account?',
      example: 'ada@example.com',
      run: runMutation({
        mutation: 'endAccountSessions',
        field: 'account',
        type: account,
        more: { fields: 'endedCount', columns: { 'Ended sessions': 'endedCount' } },
      }),
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
