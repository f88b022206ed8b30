import { Option } from 'commander'
import { clearable, newName } from '../options.ts'
import { type CommandGroup, listOfWorkspace, type ObjectType, runMutation } from '../subcommands.ts'
import { invitationSubcommands } from './invitations.ts'

export const user: ObjectType = {
  fields: 'id name kind email createdAt deletedAt',
  columns: { ID: 'id', Kind: 'kind', Created: 'createdAt', Name: 'name', Email: 'email' },
}

const deletedUser: ObjectType = { fields: user.fields, columns: { ...user.columns, Deleted: 'deletedAt' } }
const listUsers = listOfWorkspace('users', user)
const listDeleted = listOfWorkspace('users', deletedUser, 'deleted: true')

const email = ['--email <address>', 'the email address'] as const

export const users: CommandGroup = {
  name: 'users',
  description: 'People, app users and webhook users.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the users of a workspace: people, app users and webhook users.',
      options: [new Option('--deleted', 'list the deleted people instead')],
      example: '--deleted',
      run: (client, command, context) =>
        (command.opts<{ deleted?: true }>().deleted ? listDeleted : listUsers)(client, command, context),
    },
    {
      usage: 'create <name>',
      description: 'Create a person and add them to the General group.',
      options: [new Option(...email)],
      example: '"Ada Lovelace" --email ada@example.com',
      run: runMutation({ mutation: 'createUser', inWorkspace: true, field: 'user', type: user }),
    },
    ...invitationSubcommands(user),
    {
      usage: 'update <user>',
      description:
        'Change the name or email address of a person. Values that you do not specify stay unchanged.',
      options: [newName, ...clearable(...email)],
      example: 'ada@example.com --name "Ada King" --no-email',
      run: runMutation({ mutation: 'updateUser', field: 'user', type: user }),
    },
    {
      usage: 'delete <user>',
      confirm: 'Delete the person and remove them from all groups?',
      description: 'Delete a person and remove them from all groups. Their messages and their name are kept.',
      example: 'ada@example.com',
      run: runMutation({ mutation: 'deleteUser', field: 'user', type: deletedUser }),
    },
    {
      usage: 'restore <user>',
      description:
        'Restore a deleted person with their messages and DMs. They join the General group, and their former ' +
        'groups that are public.',
      example: 'ada@example.com',
      run: runMutation({ mutation: 'restoreUser', field: 'user', type: user, ofDeleted: true }),
    },
    {
      usage: 'mail-signin-link <user>',
      description:
        'Mail a person a link that signs them in. To print a link instead, use the command signin-link.',
      example: 'ada@example.com',
      run: runMutation({ mutation: 'mailSignInLink', field: 'user', type: user }),
    },
  ],
}
