import { Option } from 'commander'
import { clearable, newName } from '../options.ts'
import { change, type Kind, listOfWorkspace, type Noun } from '../verbs.ts'

export const user: Kind = {
  fields: 'id name kind email createdAt deletedAt',
  columns: { ID: 'id', Kind: 'kind', Created: 'createdAt', Name: 'name', Email: 'email' },
}

const email = ['--email <address>', 'the email address'] as const

export const users: Noun = {
  name: 'users',
  says: 'People, app users and webhook users.',
  verbs: [
    {
      usage: 'list',
      says: 'List the users of a workspace: people, app users and webhook users.',
      example: '',
      run: listOfWorkspace('users', user),
    },
    {
      usage: 'create <name>',
      says: 'Create a person and add them to the General group.',
      options: [new Option(...email)],
      example: '"Ada Lovelace" --email ada@example.com',
      run: change({ mutation: 'createUser', inWorkspace: true, field: 'user', kind: user }),
    },
    {
      usage: 'update <user>',
      says: 'Change the name or email address of a person. Values that you do not specify stay unchanged.',
      options: [newName, ...clearable(...email)],
      example: 'ada@example.com --name "Ada King" --no-email',
      run: change({ mutation: 'updateUser', field: 'user', kind: user }),
    },
    {
      usage: 'delete <user>',
      confirm: 'Delete the person and remove them from all groups?',
      says: 'Delete a person and remove them from all groups. Their messages and their name are kept.',
      example: 'ada@example.com',
      run: change({
        mutation: 'deleteUser',
        field: 'user',
        kind: { fields: user.fields, columns: { ...user.columns, Deleted: 'deletedAt' } },
      }),
    },
  ],
}
