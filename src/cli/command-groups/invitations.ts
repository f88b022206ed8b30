import { type Command, Option } from 'commander'
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import type { Output } from '../print.ts'
import {
  listOfWorkspace,
  type ObjectType,
  rowsOutput,
  runMutation,
  type Subcommand,
  workspaceOf,
} from '../subcommands.ts'

const asNewPerson = () =>
  new Option('--as-new-person', 'create a new person, although a deleted person had the address')

/** Returns the subcommands of `users` for people who have not joined yet. `user` is the type of a person. */
export function invitationSubcommands(user: ObjectType): Subcommand[] {
  return [
    {
      usage: 'invite <email>',
      description: 'Invite the owner of an email address. Prints the link, unless the service mails it.',
      options: [new Option('--name <name>', 'the name of the person'), asNewPerson()],
      example: 'ada@example.com --name "Ada Lovelace"',
      run: runMutation({
        mutation: 'inviteUser',
        inWorkspace: true,
        field: 'user',
        type: user,
        more: { fields: 'invitationURL', columns: { Invitation: 'invitationURL' } },
      }),
    },
    {
      usage: 'invite-all <emails...>',
      description:
        'Invite the owners of up to 100 email addresses. An address that fails does not stop the others.',
      options: [asNewPerson()],
      example: 'ada@example.com grace@example.com',
      run: inviteAll,
    },
    {
      usage: 'invitations',
      description: 'List the invitations that nobody has accepted. Expired ones are listed for 30 days.',
      example: '',
      run: listOfWorkspace('invitations', invitation),
    },
    {
      usage: 'revoke-invitation <user>',
      confirm: 'Revoke the invitation and delete the person?',
      description: 'Revoke the invitation of a person who has not joined yet, and delete the person.',
      example: 'ada@example.com',
      run: runMutation({ mutation: 'revokeInvitation', field: 'user', type: user }),
    },
  ]
}

const invitation: ObjectType = {
  fields: 'user { id name email } inviter { name } createdAt expiresAt',
  columns: {
    ID: 'user.id',
    Email: 'user.email',
    'Invited by': 'inviter.name',
    Created: 'createdAt',
    Expires: 'expiresAt',
  },
}

const document = `mutation ($input: InviteUsersInput!) {
  inviteUsers(input: $input) { results { email user { id } invitationURL problem { code reason message } } }
}`
const columns = { Email: 'email', ID: 'user.id', Invitation: 'invitationURL', Problem: 'problem.message' }

type Answer = { inviteUsers: { results: { problem: object | null }[] } }

/** Fails only if nobody was invited, because the output has the links. */
async function inviteAll(client: Client, command: Command): Promise<Output> {
  const [emails = []] = command.processedArgs as string[][]
  const people = emails.map((email) => ({ email, ...command.opts<{ asNewPerson?: true }>() }))
  const input = { workspaceID: await workspaceOf(client, command), people }
  const { inviteUsers } = (await client(document, { input })) as Answer
  const output = rowsOutput(columns, inviteUsers.results)
  if (inviteUsers.results.every(({ problem }) => problem)) throw new Failure(output.text)
  return output
}
