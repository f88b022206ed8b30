import { Option } from 'commander'
import { clearable, newName } from '../options.ts'
import { change, type Kind, listOfWorkspace, type Noun } from '../verbs.ts'

/** Users as lists show them. */
export const user: Kind = {
  fields: 'id name kind email createdAt deletedAt',
  columns: { ID: 'id', Kind: 'kind', Created: 'createdAt', Name: 'name', Email: 'email' },
}

const email = ['--email <address>', 'the email address'] as const

export const users: Noun = {
  name: 'users',
  says: 'People, and the users that apps and webhooks post as.',
  verbs: [
    {
      usage: 'list',
      says: 'List the users of a workspace: people, apps and webhooks.',
      example: '',
      run: listOfWorkspace('users', user),
    },
    {
      usage: 'create <name>',
      says: 'Make a person, who joins the General group.',
      options: [new Option(...email)],
      example: '"Ada Lovelace" --email ada@example.com',
      run: change({ mutation: 'createUser', inWorkspace: true, field: 'user', kind: user }),
    },
    {
      usage: 'update <user>',
      says: 'Change the name or address of a person. What is left out stays.',
      options: [newName, ...clearable(...email)],
      example: 'ada@example.com --name "Ada King" --no-email',
      run: change({ mutation: 'updateUser', field: 'user', kind: user }),
    },
    {
      usage: 'delete <user>',
      confirm: 'Delete the person, who leaves all groups?',
      says: 'Delete a person, who leaves all groups. Their messages and their name stay.',
      example: 'ada@example.com',
      run: change({
        mutation: 'deleteUser',
        field: 'user',
        kind: { fields: user.fields, columns: { ...user.columns, Deleted: 'deletedAt' } },
      }),
    },
  ],
}
