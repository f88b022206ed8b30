import { Option } from 'commander'
import { clearable, newName } from '../options.ts'
import { type CommandGroup, listOfWorkspace, type ObjectType, runMutation } from '../subcommands.ts'

export const group: ObjectType = {
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

export const groups: CommandGroup = {
  name: 'groups',
  description: 'Groups of users. Each group has a group chat.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the groups of a workspace, including private groups.',
      example: '',
      run: listOfWorkspace('groups', group),
    },
    {
      usage: 'create <name>',
      description: 'Create a group. Groups are public by default.',
      options: [isPrivate, new Option(...description)],
      example: 'Builds --description "Results of the pipelines"',
      run: runMutation({ mutation: 'createGroup', inWorkspace: true, field: 'group', type: group }),
    },
    {
      usage: 'update <group>',
      description: 'Change a group. Values that you do not specify stay unchanged.',
      options: [
        newName,
        ...clearable(...description),
        isPrivate,
        new Option('--no-private', 'make the group public: everyone in the workspace can see it'),
      ],
      example: 'Builds --private --no-description',
      run: runMutation({ mutation: 'updateGroup', field: 'group', type: group }),
    },
  ],
}
