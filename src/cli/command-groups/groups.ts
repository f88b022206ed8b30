import { Option } from 'commander'
import { clearable, newName } from '../options.ts'
import { change, type Kind, listOfWorkspace, type Noun } from '../verbs.ts'

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
const isPrivate = new Option('--private', 'make the group private: only its members can see it')

export const groups: Noun = {
  name: 'groups',
  says: 'Groups of users. Each group has a group chat.',
  verbs: [
    {
      usage: 'list',
      says: 'List the groups of a workspace, including private groups.',
      example: '',
      run: listOfWorkspace('groups', group),
    },
    {
      usage: 'create <name>',
      says: 'Create a group. Groups are public by default.',
      options: [isPrivate, new Option(...description)],
      example: 'Builds --description "Results of the pipelines"',
      run: change({ mutation: 'createGroup', inWorkspace: true, field: 'group', kind: group }),
    },
    {
      usage: 'update <group>',
      says: 'Change a group. Values that you do not specify stay unchanged.',
      options: [
        newName,
        ...clearable(...description),
        isPrivate,
        new Option('--no-private', 'make the group public: everyone in the workspace can see it'),
      ],
      example: 'Builds --private --no-description',
      run: change({ mutation: 'updateGroup', field: 'group', kind: group }),
    },
  ],
}
