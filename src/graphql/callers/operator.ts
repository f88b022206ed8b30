import type { FastifyRequest } from 'fastify'
import { findOperatorToken, firstTokenName } from '../../accounts/operator-tokens/find-operator-token.ts'
import { recordRefusal } from '../../audit/refusals.ts'
import type { Context, OperatorActor } from '../../context.ts'
import { sourceOf } from '../../http/request-source.ts'
import { counter } from '../../platform/metrics.ts'
import { isInNetworks, parseNetworks } from '../../platform/networks.ts'
import { hashSecret, secretMatches } from '../../platform/secrets/secrets.ts'

type Shared = Pick<Context, 'db' | 'config'>

const wrongTokens = counter('skein_wrong_operator_tokens_total', 'The requests with a wrong operator token.')

/**
 * Records a wrong operator token, and warns of it once a minute for each address. The caller is refused even if the entry
 * cannot be written.
 */
export async function refuseOperator(shared: Shared, request: FastifyRequest): Promise<undefined> {
  const caller = { ...shared, source: sourceOf(request) }
  wrongTokens.add()
  try {
    if (await recordRefusal(caller, { action: 'useOperatorToken', means: 'operatorToken' }))
      request.log.warn({ address: request.ip }, 'a wrong operator token was refused')
  } catch (err) {
    request.log.warn({ err }, 'the refusal of an operator token cannot be recorded')
  }
  return undefined
}

type FindOperator = (token: string, request: FastifyRequest) => Promise<OperatorActor | undefined>

// From elsewhere, an operator token is unknown. Otherwise the answer would say that a stolen token is right.
export function operatorFinder({ db, config }: Shared): FindOperator {
  const firstHash = hashSecret(config.operatorToken)
  const networks = parseNetworks(config.operatorNetworks)
  const find = async (token: string): Promise<OperatorActor | undefined> =>
    secretMatches(token, firstHash)
      ? { kind: 'operator', tokenName: firstTokenName }
      : findOperatorToken(db, token)
  return async (token, { ip, log }) => {
    const operator = await find(token)
    if (!operator || networks.length === 0 || isInNetworks(ip, networks)) return operator
    log.warn(
      { address: ip, tokenName: operator.tokenName },
      'operator token refused: its address is not allowed',
    )
    return undefined
  }
}
