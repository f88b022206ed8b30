import { Option } from 'commander'
import { wholeNumber } from '../options.ts'
import { type CommandGroup, type ObjectType, rowsOutput, runMutation } from '../subcommands.ts'

const operatorToken: ObjectType = {
  fields: 'id name createdAt expiresAt lastUsedAt',
  columns: { Name: 'name', Created: 'createdAt', Expires: 'expiresAt', 'Last used': 'lastUsedAt' },
}

export const operatorTokens: CommandGroup = {
  name: 'operator-tokens',
  description:
    'Named tokens of the operator. The log of the service shows the name of the token with each request.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the named operator tokens that have not expired.',
      example: '',
      run: async (client) => {
        const data = await client(`{ operatorTokens { ${operatorToken.fields} } }`)
        return rowsOutput(operatorToken.columns, (data as { operatorTokens: unknown[] }).operatorTokens)
      },
    },
    {
      usage: 'create <name>',
      description: 'Create an operator token. It is shown only once.',
      options: [
        new Option(
          '--days <days>',
          'the number of days after which the token expires; by default, it does not expire',
        ).argParser(wholeNumber),
      ],
      example: '"Ada" --days 90',
      run: runMutation({
        mutation: 'createOperatorToken',
        field: 'operatorToken',
        type: operatorToken,
        more: {
          fields: 'token',
          columns: { Token: 'token' },
          note: 'Save the token now: it is not shown again. Set it as OPERATOR_TOKEN in the environment of the command line.',
        },
      }),
    },
    {
      usage: 'revoke <name>',
      description: 'Revoke an operator token. It stops working immediately.',
      confirm: 'Revoke the operator token?',
      example: '"Ada"',
      run: runMutation({ mutation: 'revokeOperatorToken', field: 'operatorToken', type: operatorToken }),
    },
  ],
}
