import { Option } from 'commander'
import { clearable, newName } from '../options.ts'
import { change, type Kind, listOfWorkspace, type Noun } from '../verbs.ts'

/** Groups as lists show them. */
export const group: Kind = {
  fields: 'id name description isPrivate isGeneral createdAt',
  columns: {
    ID: 'id',
    Private: 'isPrivate',
    General: 'isGeneral',
    Created: 'createdAt',
    Name: 'name',
    Description: 'description',
  },
}

const description = ['--description <text>', 'what the group is for, at most 1,000 characters'] as const
const isPrivate = new Option('--private', 'only members are to know the group')

export const groups: Noun = {
  name: 'groups',
  says: 'Groups of users, each with a chat of its own.',
  verbs: [
    {
      usage: 'list',
      says: 'List the groups of a workspace, private ones too.',
      example: '',
      run: listOfWorkspace('groups', group),
    },
    {
      usage: 'create <name>',
      says: 'Make a group, which is public unless told.',
      options: [isPrivate, new Option(...description)],
      example: 'Builds --description "What the pipelines say"',
      run: change({ mutation: 'createGroup', inWorkspace: true, field: 'group', kind: group }),
    },
    {
      usage: 'update <group>',
      says: 'Change a group. What is left out stays.',
      options: [
        newName,
        ...clearable(...description),
        isPrivate,
        new Option('--no-private', 'everyone in the workspace is to know the group'),
      ],
      example: 'Builds --private --no-description',
      run: change({ mutation: 'updateGroup', field: 'group', kind: group }),
    },
  ],
}
